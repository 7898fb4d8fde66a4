#!/usr/bin/env bash
# What runs on soft-RoCE: the short form in CI, and more with --long. Each part ends with one line that says how long it
# took; of a part that fails, all output is printed.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
. "$here/lib/common.sh"
. "$here/lib/jdk.sh"
[ $# -eq 0 ] || [[ "$1" = --long && $# -le 2 && -d "${2:-.}" ]] ||
    fail 2 "'$*' is not known: test.sh takes no argument, or --long and perhaps a folder of plans"
long=${1:-}
plans=${2:-}
find_jdk
folder=$(mktemp -d)
parts=()
short=spec0901_resultsAreRight,spec0105_nothingElseIsWritten,spec1201_messagesArrive,spec1303_putsAreSeenBehindASignal
# ended CODE: stops the parts that still run, and ends.
ended() {
    [ ${#parts[@]} -eq 0 ] || kill "${parts[@]}" 2>/dev/null || true
    wait
    exit "$1"
}
trap 'rm -rf "$folder"' EXIT
trap 'ended 130' INT
trap 'ended 143' TERM HUP
"$root/mscclj" --version >/dev/null # builds the command, where that is needed
"$jdk/bin/javac" -d "$folder/classes" -cp "$root/mscclj-cli/target/lib/*" "$here"/java/*.java

# in_guests N [OPTION...] -- COMMAND...: runs the command in N guests with Java. The checkout is at /repo, the programs of
# the folder "java" are compiled at /classes. The options are those of run.sh.
in_guests() {
    local nodes=$1
    shift
    exec "$here/run.sh" -n "$nodes" -j -s "$root:/repo" -s "$folder/classes:/classes" "$@"
}

# expect NAME PATTERN COMMAND...: the command ends with 0, and prints a line like the pattern.
expect() {
    local name=$1 pattern=$2 start=$SECONDS code=0 process log
    shift 2
    log=$(mktemp -p "$folder")
    # In the background, as only then a signal ends this script at once.
    "$@" >"$log" 2>&1 </dev/null &
    process=$!
    trap 'kill "$process" 2>/dev/null; ended 143' INT TERM HUP
    wait "$process" || code=$?
    trap 'ended 130' INT
    trap 'ended 143' TERM HUP
    if [ "$code" != 0 ] || ! grep -qE "$pattern" "$log"; then
        cat "$log"
        echo "softroce test: $name has ended with $code, and \"$pattern\" was expected: $*" >&2
        exit 1
    fi
    echo "softroce test: $((SECONDS - start)) s, $name: $(grep -oE -m 1 "$pattern" "$log")"
}

# beside NAME PATTERN COMMAND...: the same, while the script goes on. Guests of one virtual CPU that wait for each other
# leave half of two cores idle.
beside() {
    (
        parts=()
        expect "$@"
    ) &
    parts+=($!)
}

# joined: all parts that run beside the script have ended well.
joined() {
    local part code=0
    for part in "${parts[@]}"; do
        wait "$part" || code=$?
    done
    parts=()
    [ "$code" = 0 ] || exit 1
}

java=(java -Xint --enable-native-access=ALL-UNNAMED -cp /classes)
messages=(bash /repo/it/softroce/tests/messages.sh)
beside "messages and verbs from Java in a guest" 'device rxe0' \
    in_guests 1 -- bash -c "${messages[*]} && ${java[*]} VerbsDevices"
beside "messages between guests" '1: 1000 iters in .*' "$here/run.sh" -n 2
joined
beside "delay, loss, cuts, a stopped and a killed guest" '0: network test passed' \
    "$here/run.sh" -n 2 -s "$here/tests:/tests" -- /tests/network.sh
beside "perftest, 64 KiB" '^ *65536 .*' "$here/run.sh" -c 2 -s "$here/tests:/tests" -- /tests/perftest.sh

. "$here/lib/rehearsal.sh"
rehearse "$folder"
joined

# Rules over transport ib alone. VMs start slowly in guests, so each group of guests starts one group of ranks.
rdma=(/repo/it/softroce/tests/over_rdma.sh)
rules=("${rdma[@]}" conformance --backend host --depth quick --timeout 10m --world 4)
one_guest=spec0901_resultsAreRight
[ -z "$long" ] || one_guest=$short,spec0606_launchesInARow
tests=("$here/junit.sh")
expect "transport ib, two ranks on each of two guests" '^0: # [1-9][0-9]* passed$' \
    in_guests 2 -m 2048 -t 1200 -- "${rules[@]}" --mode process-nodes --rule "$short" --rank-command "on {node}"
expect "transport ib, two groups of two processes in a guest" '^# [1-9][0-9]* passed$' \
    in_guests 1 -c 2 -m 3072 -t 1800 -- "${rules[@]}" --mode process-nodes --rule "$one_guest"
[ -n "$long" ] || exit 0

expect "rules of transports for transport ib" '[1-9][0-9]* tests successful' \
    "${tests[@]}" conformance-tests -c 2 -m 2048 -t 1200 -- \
    --select-class org.mscclj.conformance.IbTransportConformanceTest
expect "transport ib, two groups of two threads" '^# [1-9][0-9]* passed' \
    in_guests 1 -c 2 -m 2048 -t 1800 -- "${rules[@]}" --mode nodes --smoke
expect "transport ib and perftest" 'transport ib and perftest: .*' \
    in_guests 1 -c 2 -m 1536 -- /repo/it/softroce/tests/perftest.sh 1000

# Emulated GPUs. A guest has no compiler for kernels, so that a run on this machine compiles them first.
gpus=(conformance --backend cuda --depth quick --timeout 10m --world 4 --mode nodes)
gpus_over_rdma() {
    local name=$1 registered=$2
    shift 2
    "$root/config/emulation/mscclj" "${gpus[@]}" "$@" >"$folder/here" 2>&1 || {
        cat "$folder/here"
        fail 1 "the rules fail on this machine, too"
    }
    expect "$name" '^# [1-9][0-9]* passed' in_guests 1 -c 2 -m 4096 -t 3600 -- bash -c "$(
        "$root/config/emulation/variables" /repo
    ); export MSCCLJ_IB_GPU_MEMORY=$registered; exec ${rdma[*]} ${gpus[*]} $*"
}
gpus_over_rdma "transport ib registers the memory of emulated GPUs" 1 \
    --rule spec1201_messagesArrive,spec1303_putsAreSeenBehindASignal
gpus_over_rdma "emulated GPUs on two nodes over transport ib, through pinned memory" 0 --smoke

# plans_over_rdma RANKS HOW PLAN...: right results on two nodes whose ranks are threads or processes.
plans_over_rdma() {
    local ranks=$1 how=$2
    local more=()
    shift 2
    [ "$how" = threads ] || more=(--procs)
    expect "transport ib, plans of $ranks ranks on 2 nodes, $how" '^# [1-9][0-9]* right.*' \
        in_guests 1 -c 2 -m 3072 -t 1800 -s "$plans:/plans" -- "${rdma[@]}" run "${@/#//plans/}" --ranks "$ranks" \
        --ranks-per-node $((ranks / 2)) ${more[@]+"${more[@]}"} --packet LL16,LL8 --size 1K,64K,1000 --timeout 10m
}
if [ -n "$plans" ]; then
    of4=(def_all{gather_multi_nodes_2x2_{ip,oop},reduce_multi_nodes_2x2_tbg{1,4}}.json
        mn_{reducescatter_2x2,reducescatter_pkt_2x2,send_recv_2x2_mask0_inst1}.json)
    plans_over_rdma 2 processes mn_send_recv_1x2_mask0_inst1.json
    plans_over_rdma 4 threads "${of4[@]}"
    plans_over_rdma 4 processes "${of4[@]}"
    plans_over_rdma 8 threads def_all{gather_multi_nodes_2x4_ip,reduce_multi_nodes_2x4_tbg1}.json
    plans_over_rdma 16 threads official_allreduce_2nodes_1K_64K.json
fi

# Tests of modules: what the build has left.
expect "transport-tcp: a minute of 20 ms of delay and 1 % of loss, a cut of 60 s, power loss" '0: tcp test passed' \
    in_guests 2 -t 1200 -- /repo/it/softroce/tests/tcp_faults.sh
expect "tests of transport-tcp in a guest" '[1-9][0-9]* tests successful' \
    "${tests[@]}" transport-tcp -t 600 -- --select-class org.mscclj.transport.tcp.SealedTest
MSCCLJ_JAVA_OPTS=-Dmscclj.test.ib.netdev=dummy0 expect "faults of transport ib, and 1,000 connections" \
    '[1-9][0-9]* tests successful' \
    "${tests[@]}" conformance-tests -c 2 -m 3072 -t 1200 -- --select-class org.mscclj.conformance.transport.IbFaultsTest
