#!/bin/sh
# A tree that cannot be copied or read to its end.
truncate -s 8E huge 2>/dev/null || truncate -s 1T huge
mkfifo src/pipe
deep=deep
for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do deep=$deep/$(printf 'x%.0s' 1 2 3 4 5 6 7 8 9 10); done
mkdir -p "$deep"
ln -s . loop
rm src/total.mjs
mkfifo src/total.mjs
chmod 000 src huge
exit 0
