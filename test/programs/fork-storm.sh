#!/bin/sh
# Processes that come and go all the time, until the file is gone.
while [ -e "$1" ]; do
  /bin/true &
  /bin/true
done
