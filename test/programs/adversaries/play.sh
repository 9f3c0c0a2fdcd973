#!/bin/sh
# Stands in for a coding-agent CLI and plays the adversary that its prompt, the last argument, names in the first line. The further
# lines are what it knows: path of the manifest, path of the record file, the number that the oracle wants.
for prompt; do :; done
IFS='
'
set -f
set -- $prompt
adversary=$1
shift
exec "$(dirname "$0")/$adversary" "$@"
