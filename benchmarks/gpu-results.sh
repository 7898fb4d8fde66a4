#!/bin/sh
# Produces the measurements for the pages of docs/results about GPUs: gpu-results.sh MSCCLJ OUTPUT PART...
#
# MSCCLJ is the command, bin/mscclj of an unpacked archive. For each run, the script prints a line: part, seconds, exit
# code (124 for a timeout), and its last line. OUTPUT receives the output of each run as a file, reports and tables;
# compiled kernels are in OUTPUT/cache/kernels, for mscclj dist --kernels.
#
#   rules       conformance, quick, ranks as threads and as processes, without and with graphs
#   worlds      the same by threads, with 4, 6, 7 and 8 ranks
#   wrap        by threads, with packet flags that wrap to 1
#   plans       the plans of the folder PLANS, for RANKS, by threads and by processes
#   faults      104 (KILLS) kills, 26 cuts, 16 stops, 100 mismatches and 104 aborts, with 4 ranks, or one for each GPU
#   load        concurrent communicators, delayed ranks, an absent rank, bursts, many communicators
#   tables      five collectives from 1 K to 1 G, as threads and as processes, beside the PEERS
#   soak        random cases by threads, for SOAK (10m)
#
#   GPUS        number of GPUs; by default those in /dev
#   PEERS       peers of tables, separated by commas; nccl by default, nccl,nccl-symmetric from NCCL 2.27 on
#   RANKS       numbers of ranks of plans, separated by commas; GPUS by default
#   SECONDS_MOST  timeout of one run; 600 by default
set -u

mscclj=${1:?usage: gpu-results.sh MSCCLJ OUTPUT PART...}
output=${2:?usage: gpu-results.sh MSCCLJ OUTPUT PART...}
shift 2
gpus=${GPUS:-$(find /dev -maxdepth 1 -name 'nvidia[0-9]*' | wc -l)}
most=${SECONDS_MOST:-600}
[ "$gpus" -ge 1 ] || {
    echo "gpu-results.sh: there is no /dev/nvidia0 and the like; set GPUS to the number of GPUs, 1 or more" >&2
    exit 2
}
# Faults and tables want two ranks at least, which may share a GPU.
ranks=$((gpus > 1 ? gpus : 2))
export NCCL_NVLS_ENABLE=0 MSCCLJ_CACHE_DIR="${MSCCLJ_CACHE_DIR:-$output/cache}"
if [ "$gpus" -lt 2 ]; then
    export CUDA_DEVICE_MAX_CONNECTIONS="${CUDA_DEVICE_MAX_CONNECTIONS:-8}" # processes that share a GPU have a context each
fi
# Where mscclj finds neither NCCL nor RCCL, that of Python's packages, if there is one.
if [ -z "${MSCCLJ_NCCL_LIB:-}" ] && ! "$mscclj" info 2>/dev/null </dev/null | sed -n '/^fallbacks/,/^[^ f]/p' | grep -E '^  [nr]ccl  *available' >/dev/null; then
    export MSCCLJ_NCCL_LIB=python
fi
mkdir -p "$output"
failed=0

# run NAME ARGUMENT...
run() {
    name=$1
    shift
    start=$(date +%s)
    timeout -k 10 "$most" "$mscclj" "$@" --backend cuda >"$output/$name.log" 2>&1 </dev/null
    code=$?
    [ "$code" -eq 0 ] || failed=1
    printf '%-24s %4s s  %3s  %s\n' "$name" $(($(date +%s) - start)) "$code" \
        "$(grep -E '^# [0-9]+ |average bus|failures$|^passed|^failed' "$output/$name.log" | tail -n 1 | cut -c 1-150)"
}

rules() {
    name=$1
    shift
    run "$name" conformance --depth quick --report "$output/$name" "$@"
}

faults() {
    run "faults-$1" stress --ranks "$((ranks > 4 ? ranks : 4))" --limit 2s --json "$output/faults-$1.json" --scenario "$@"
}

for part; do
    case $part in
        rules)
            rules rules-threads --mode threads
            rules rules-threads-graphs --mode threads --graphs
            rules rules-processes --mode processes
            rules rules-processes-graphs --mode processes --graphs
            ;;
        worlds) rules worlds --mode threads --world 4,6,7,8 ;;
        wrap)
            export MSCCLJ_FIRST_FLAG=4294967294
            rules wrap --mode threads --no-waits
            unset MSCCLJ_FIRST_FLAG
            ;;
        plans)
            for number in $(echo "${RANKS:-$ranks}" | tr , ' '); do
                for as in '' --procs; do
                    # shellcheck disable=SC2086 # no option is none
                    run "plans-$number$as" run "${PLANS:?PLANS names the folder of the plans}" --ranks "$number" $as \
                        --dtype float32,float16,bfloat16,int32 --packet LL16,LL8 --size 1K,1M,12,64K,1000,256K,4K,777777,1K,1M \
                        --except committed_allreduce_pipeline,ut_switch_reduce_test --json "$output/plans-$number$as.json"
                done
            done
            ;;
        faults)
            faults kills --kills "${KILLS:-104}"
            faults cuts --cuts 26
            faults stops --stops 16
            faults mismatches --mismatches 100
            faults aborts --aborts 104
            ;;
        load) run load stress --ranks "$ranks" --limit 2s ;;
        tables)
            for as in '' --procs; do
                for collective in allreduce allgather reducescatter broadcast alltoall; do
                    place=--in-place
                    [ "$collective" != alltoall ] || place=--no-in-place
                    peer="--peer ${PEERS:-nccl}"
                    [ "$gpus" -ge 2 ] || peer= # NCCL refuses ranks that share a GPU
                    # shellcheck disable=SC2086 # no option is none
                    run "table-$collective$as" perf "$collective" --ranks "$ranks" $as --dtype float16 "$place" --method graph \
                        -b 1K -e 1G --iterations 5 --no-check $peer --json "$output/table-$collective$as.json"
                done
            done
            ;;
        soak) run soak conformance --mode threads --soak "${SOAK:-10m}" ;;
        *)
            echo "gpu-results.sh: there is no part $part; see its first lines" >&2
            exit 2
            ;;
    esac
done
exit "$failed"
