#!/usr/bin/env bash
# The GPU backends on emulated GPUs: rules by threads, by graphs and by processes, plans, traces, native algorithms, and
# processes that are killed. A folder of more plans may be given.
# CI runs it on Linux x86_64 after the build; elsewhere it says that it does nothing.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
# Seconds for each; the longest takes three and a half minutes on two cores.
most=1200

if [ "$(uname -s) $(uname -m)" != "Linux x86_64" ]; then
    echo "emulation test: skipped, GPUs are emulated on Linux x86_64 only"
    exit 0
fi

folder=$(mktemp -d)
log=$folder/log
trap 'rm -rf "$folder"' EXIT

# expect PATTERN ARGUMENT...: says how it ended, by the last line like the pattern; all of what it said, if not well.
mscclj=$root/config/emulation/mscclj
expect() {
    local start=$SECONDS code=0 pattern=$1 summary
    shift
    timeout -k 30 "$most" "$mscclj" "$@" >"$log" 2>&1 </dev/null || code=$?
    summary=$(grep -E "$pattern" "$log" | tail -n 1) || code=${code/#0/no result}
    if [ "$code" != 0 ]; then
        cat "$log"
        echo "emulation test: ended with $code: mscclj $*" >&2
        exit 1
    fi
    echo "emulation test: $((SECONDS - start)) s, $summary: mscclj $*"
}

rules=(expect '^# [1-9][0-9]* passed' conformance --backend cuda --depth quick)
"${rules[@]}" --mode threads --no-waits --world 2,3
EMULATED_THREADS=3 "${rules[@]}" --mode threads --graphs --world 2
"${rules[@]}" --mode processes --smoke --world 3
"${rules[@]}" --mode processes --world 3 --algorithm copies_allgather,copies_broadcast
# Up to four ranks. Packet flags wrap in the second launch.
MSCCLJ_FIRST_FLAG=4294967294 "${rules[@]}" --mode threads --smoke
MSCCLJ_FIRST_FLAG=4294967294 "${rules[@]}" --mode threads --rule spec0607_sizesTakeTurns

# The ROCm backend, by a HIP that is CUDA underneath.
amd=(expect '^# [1-9][0-9]* passed' conformance --backend rocm --depth quick)
"${amd[@]}" --mode threads --no-waits --world 3
EMULATED_THREADS=3 "${amd[@]}" --mode threads --graphs --world 2
"${amd[@]}" --mode processes --smoke --world 3
expect '^# [1-9][0-9]* right' run "$root/examples/plans" --backend rocm --ranks 2 --dtype float16 --packet LL16,LL8 \
    --size 1K,12,300K
expect '^passed  aborts' stress --backend rocm --ranks 3 --scenario aborts
expect '^passed  kills' stress --backend rocm --ranks 3 --scenario kills --kills 4 --limit 2s
faults=(stress --backend rocm --ranks 2 --scenario device-faults --limit 3s --faults 1)
expect '^  misaligned: hipErrorIllegalAddress +1 right' "${faults[@]}"
HIP_ON_CUDA_FAULTS=abort expect '^  misaligned: its process ends with code 134 +1 right' "${faults[@]}"

# Eight GPUs, each of which has links of xGMI to two others only: large allreduces go around the ring.
nodes=$folder/nodes
for one in {1..8}; do
    for hops in 1 2 3 4 5 6 7; do
        link=$nodes/$one/io_links/$hops
        mkdir -p "$link"
        printf '%s\n' "type 11" "node_to $(((one + hops - 1) % 8 + 1))" "weight $((15 * (hops < 4 ? hops : 8 - hops)))" \
            >"$link/properties"
    done
    echo "simd_count 304" >"$nodes/$one/properties"
done
export MSCCLJ_JAVA_OPTS="-Dmscclj.kfd.topology=$nodes"
expect 'between 8 of 28 pairs of GPUs .*, large allreduces around a ring$' info
expect '^  ring +shipped program +chosen' explain allreduce --backend rocm --ranks 3 --size 1M
expect '"algorithm" : "ring"' perf allreduce --backend rocm --ranks 3 -b 1M -e 1M --no-in-place --dtype int32 \
    --iterations 1 --warmup 1ms --graph-operations 4 --replays 1 --json -
unset MSCCLJ_JAVA_OPTS

# Ranks on several nodes, which TCP connects by way of pinned memory.
between=spec0107_plainBuffers,spec0601_communicatorsAreIndependent,spec0704_abortEndsEverything,spec0711_shrunkCommunicatorsWork
messages=spec1205_messagesInAnyMemory,spec1301_windowsOfAnySizes,spec1302_windowsAreReplayed
"${rules[@]}" --mode nodes --world 4 --rule "$between,$messages"
"${rules[@]}" --mode process-nodes --world 4 --rule spec0705_lostRanksAreNamed
MSCCLJ_FIRST_FLAG=4294967294 "${rules[@]}" --mode nodes --world 4 --rule spec0607_sizesTakeTurns

# By a library that stands in for NCCL. NCCL reduces fewer types than mscclj, so only calls that move data go to it.
moves=allgather,broadcast,alltoall,scatter,gather
MSCCLJ_FORCE_NCCL_FALLBACK_OPERATION=$moves "${rules[@]}" --mode threads --smoke
MSCCLJ_FORCE_NCCL_FALLBACK_OPERATION=$moves "${rules[@]}" --mode processes --smoke --world 2

# RCCL, by a variant of that library.
"$root/config/emulation/libraries" "$root/target/emulation" rccl -DRCCL
MSCCLJ_NCCL_LIB=$root/target/emulation/rccl/libnccl.so.2 MSCCLJ_FORCE_NCCL_FALLBACK_OPERATION=$moves \
    "${amd[@]}" --mode threads --smoke --world 2

# NCCL as a backend, by that library, which has all types and reductions of NCCL. Each rank has a GPU.
export EMULATED_GPUS=8
library=(expect '^# [1-9][0-9]* passed' conformance --backend nccl --depth quick)
"${library[@]}" --mode threads --no-waits --world 3
"${library[@]}" --mode processes --smoke --world 3
unset EMULATED_GPUS

plans() {
    expect '^# [1-9][0-9]* right' run "$@" --backend cuda --dtype float16,int32 --packet LL16,LL8 --size 12,1000,77777,300K
}
if [ $# -eq 0 ]; then
    plans "$root/examples/plans" --ranks 2
else
    # Three are not right: one has a race, which shows here, and two cannot be read.
    for ranks in 2 4 8; do
        plans "$root/examples/plans" "$1" --ranks "$ranks" --except committed_exec_reduce_tbg,committed_allreduce_pipeline,ut_switch_reduce_test
    done
fi

# NVLink multicast, by the multicast objects of the emulated driver: rules, and the plans that have switch channels. Where
# ranks do without it they say so, and that fails here; so does a run of threads in which the GPUs of fewer than two
# ranks use it. Ranks that are processes do not report that here: SwitchPlansTest counts their accesses.
switched() {
    local used
    rm -f "$folder/multicast"
    MSCCLJ_NVLS=on STANDIN_REPORT=$folder/multicast expect "$@"
    if grep "switch channels are emulated" "$log"; then
        echo "emulation test: multicast was on, and ranks did without it: mscclj ${*:2}" >&2
        exit 1
    fi
    [[ " $* " != *\ processes\ * && " $* " != *\ --procs\ * ]] || return 0
    used=$(grep -sc '^multicast accesses' "$folder/multicast") || true
    if [ "${used:-0}" -lt 2 ]; then
        echo "emulation test: multicast was on, and the GPUs of ${used:-0} ranks have used it: mscclj ${*:2}" >&2
        exit 1
    fi
}
multicasts=multicast,multicast_direct,multicast_packets,multicast_pipeline
EMULATED_GPUS=4 switched "${rules[@]:1}" --mode threads --world 3 --algorithm "$multicasts"
switched "${rules[@]:1}" --mode processes --world 2 --algorithm multicast_direct
MSCCLJ_NVLS=on "${rules[@]}" --mode threads --smoke --world 2
channels=("$root/examples/plans/allreduce_multicast_2ranks.json")
if [ $# -gt 0 ]; then
    mapfile -t -O 1 channels < <(grep -lE '"channel_type": ?"switch"' "$1"/*.json)
fi
# The two that are not right are among the plans of the folder.
not_right=()
[ $# -eq 0 ] || not_right=(--except committed_allreduce_pipeline,ut_switch_reduce_test)
EMULATED_GPUS=4 switched '^# [1-9][0-9]* right' run "${channels[@]}" --ranks 2 --backend cuda --dtype float16,int32 \
    --packet LL8 --size 1K,12,77777 ${not_right[@]+"${not_right[@]}"}

# traced BACKEND: what messages have moved, by the traces of some rules: a line of the bytes for each sort of operation.
traced() {
    MSCCLJ_TRACE=$folder/$1 expect '^# [1-9][0-9]* passed' conformance --backend "$1" --depth quick --mode threads --world 3 \
        --rule spec1201_messagesArrive,spec1203_messagesAreReplayed,spec1208_partsOfAnySizesMove,spec1303_putsAreSeenBehindASignal >&2
    sed -n 's/^{"name":"\([a-z]*\)[^"]*".*"bytes":\([0-9]*\).*/\1 \2/p' "$folder/$1"/*-point_to_point-* |
        awk '{ bytes[$1] += $2 } END { for (sort in bytes) print sort, bytes[sort] }' | sort
}
# Lanes and chunks are others there, and so are blocks; but all in all, as many bytes move.
byGpus=$(traced cuda)
byProcessors=$(mscclj=$root/mscclj && traced host)
if [[ "$byGpus" != "$byProcessors" || ! "$byGpus" =~ copy\ [1-9].*receive\ [1-9].*send\ [1-9].*signal\ 0.*wait\ 0 ]]; then
    echo "emulation test: by traces, GPUs have moved ($byGpus), and processors ($byProcessors), in bytes" >&2
    exit 1
fi
# shellcheck disable=SC2086 # its lines become one
echo "emulation test: traces of messages on GPUs tell of as many bytes as on processors:" $byGpus

examples=$root/examples
natives=$examples/native-algorithms
expect '^allgather: all outputs are right' java "$natives/NativeAllGather.java" "$natives/allgather.cu" 3
EMULATED_THREADS=3 expect '^alltoall: all outputs are right' java "$natives/NativeAllToAll.java" "$natives/alltoall.cu" 3
EMULATED_THREADS=3 expect '^overlap: all products are right' java "$natives/Overlap.java" "$natives/overlap.cu"
EMULATED_THREADS=3 expect '^fused: all products are right' java "$natives/Fused.java" "$natives/fused.cu" 3
expect '^default algorithms: all results are right' java "$examples/default-algorithms/DefaultAlgorithms.java" cuda 2
expect '^language: all sums are right' java "$examples/language/LanguageAllReduce.java" cuda 2
expect '^custom communicator: all results are right' \
    java "$examples/custom-communicator/CustomCommunicatorExample.java" cuda 2
expect '^tuning: all sums are right' java "$examples/tuning/TunedAllReduce.java" cuda 2 "$folder/tuned.json"
expect 'from 16384  *default' tune allreduce --backend cuda --ranks 2 -b 8K -e 8K --memory registered --peer nccl \
    --iterations 1 --warmup 1ms --graph-operations 4 --replays 1 --output "$folder/tuned.json" --html "$folder/tuned.html"

expect '^passed  objects' stress --backend cuda --ranks 3 --scenario objects
expect '^passed  aborts' stress --backend cuda --ranks 3 --scenario aborts
expect '^passed  kills' stress --backend cuda --ranks 3 --scenario kills --kills 8 --limit 2s
MSCCLJ_FORCE_NCCL_FALLBACK_OPERATION=all expect '^passed  kills' stress --backend cuda --ranks 3 --scenario kills --kills 4 --limit 2s
expect '^passed  device-faults' stress --backend cuda --ranks 2 --scenario device-faults --faults 3 --limit 3s
