#!/usr/bin/env bash
# What runs on soft-RoCE: the short form in CI, and more with --long. Each part ends with one line that says how long it
# took; of a part that fails, all output is printed.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
. "$here/lib/common.sh"
. "$here/lib/jdk.sh"
[ $# -eq 0 ] || [ "$*" = --long ] || fail 2 "'$*' is not known: test.sh takes no argument, or --long"
long=${1:-}
find_jdk
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
"$jdk/bin/javac" -d "$folder/classes" "$here"/java/*.java

# in_guests N [OPTION...] -- COMMAND...: runs the command in N guests with Java, and the programs of the folder "java"
# at /classes. The options are those of run.sh.
in_guests() {
    local nodes=$1
    shift
    "$here/run.sh" -n "$nodes" -j -s "$folder/classes:/classes" "$@"
}

# expect NAME PATTERN COMMAND...: the command ends with 0, and prints a line like the pattern.
expect() {
    local name=$1 pattern=$2 start=$SECONDS code=0 process
    shift 2
    # In the background, as only then a signal ends this script at once.
    "$@" >"$folder/log" 2>&1 </dev/null &
    process=$!
    trap 'kill "$process" 2>/dev/null; wait; exit 143' INT TERM HUP
    wait "$process" || code=$?
    trap 'exit 143' INT TERM HUP
    if [ "$code" != 0 ] || ! grep -qE "$pattern" "$folder/log"; then
        cat "$folder/log"
        echo "softroce test: $name has ended with $code, and \"$pattern\" was expected: $*" >&2
        exit 1
    fi
    echo "softroce test: $((SECONDS - start)) s, $name: $(grep -oE -m 1 "$pattern" "$folder/log")"
}

expect "messages in a guest" '1000 iters in .*' "$here/run.sh"
expect "messages between guests" '1: 1000 iters in .*' "$here/run.sh" -n 2
java=(java -Xint --enable-native-access=ALL-UNNAMED -cp /classes)
expect "verbs from Java" 'device rxe0' in_guests 1 -- "${java[@]}" VerbsDevices
