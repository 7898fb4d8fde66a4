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

# in_guests N [OPTION...] -- COMMAND...: runs the command in N guests with Java. The checkout is at /repo, the programs of
# the folder "java" are compiled at /classes. The options are those of run.sh.
in_guests() {
    local nodes=$1
    shift
    exec "$here/run.sh" -n "$nodes" -j -s "$root:/repo" -s "$folder/classes:/classes" "$@"
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

java=(java -Xint --enable-native-access=ALL-UNNAMED -cp /classes)
messages=(bash /repo/it/softroce/tests/messages.sh)
expect "messages and verbs from Java in a guest" 'device rxe0' \
    in_guests 1 -- bash -c "${messages[*]} && ${java[*]} VerbsDevices"
expect "messages between guests" '1: 1000 iters in .*' "$here/run.sh" -n 2
expect "delay, loss, cuts, a stopped and a killed guest" '0: network test passed' \
    "$here/run.sh" -n 2 -s "$here/tests:/tests" -- /tests/network.sh
expect "perftest, 64 KiB" '^ *65536 .*' "$here/run.sh" -c 2 -s "$here/tests:/tests" -- /tests/perftest.sh
[ -n "$long" ] || exit 0

# The command and tests of modules: what the build has left.
[ -d "$root/mscclj-cli/target/lib" ] || fail 2 "--long runs the command, and it is not built: ./mscclj --version"
sendrecv=(mscclj run /repo/examples/plans/sendrecv_port_2ranks.json --count 1000 --iterations 1)
expect "transport-tcp with 20 ms of delay and 1 % of loss on both sides" '0: .*# [1-9][0-9]* right' \
    in_guests 2 -t 600 -- bash -c "net delay 20ms loss 1% && exec ranks 1 ${sendrecv[*]}"
expect "tests in a guest" '[1-9][0-9]* tests successful' \
    "$here/junit.sh" transport-tcp -t 600 -- --select-class org.mscclj.transport.tcp.SealedTest
