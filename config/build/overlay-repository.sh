#!/bin/sh
# Makes a local Maven repository under target/ that shows everything of the usual one except this project's own artifacts, and
# prints its path. What is installed there does not end up in the usual one; what is downloaded does, as always.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd -P)
overlay=$root/target/m2
usual=$(cd "$root" && mvn -B -N -X validate 2>/dev/null | sed -n 's/^\[DEBUG\] Using local repository at //p' | head -n 1)
usual=${usual:-$HOME/.m2/repository}

rm -rf "$overlay"
mkdir -p "$overlay/org" "$usual/org"
for entry in "$usual"/*; do
    name=${entry##*/}
    if [ -d "$entry" ] && [ "$name" != org ]; then
        ln -s "$entry" "$overlay/$name"
    fi
done
for entry in "$usual"/org/*; do
    name=${entry##*/}
    if [ -d "$entry" ] && [ "$name" != mscclj ]; then
        ln -s "$entry" "$overlay/org/$name"
    fi
done
echo "$overlay"
