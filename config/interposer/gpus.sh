#!/usr/bin/env bash
# Runs unmodified programs of NCCL on two GPUs over the library that stands in for NCCL, and beside NCCL itself.
#
#   gpus.sh MSCCLJ OUTPUT PART...
#
# MSCCLJ is bin/mscclj of an unpacked archive; logs and tables are put into OUTPUT. The parts:
#
#   types      nccl-tests: reductions of all types and operations, copies of all types, by one process with two GPUs
#   times      nccl-tests: times of all collectives beside NCCL's, results checked: processes, graphs, one process
#   pytorch    PyTorch: all collectives, graphs, and a rank that is killed
#   training   PyTorch: a small transformer, data parallel and sharded, beside NCCL
#
# NCCL_TESTS is the folder of nccl-tests, built with MPI=1 NAME_SUFFIX=_mpi, and LIBRARIES that of NCCL and of libmpi.so. The MPI of
# nccl-interposer/src/test/mpi is enough. PYTHON is a Python with PyTorch, python3 by default.
set -uo pipefail

[ $# -ge 3 ] || {
    sed -n '2,15s/^# \{0,1\}//p' "$0" >&2
    exit 2
}
mscclj=$1
output=$2
shift 2
scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../nccl-interposer/src/test/pytorch" && pwd -P)
python=${PYTHON:-python3}
most=${SECONDS_EACH:-120}
failed=0
mkdir -p "$output"

# under LIBRARY COMMAND...: with mscclj or with nccl.
under() {
    local library=$1
    shift
    case $library in
        mscclj) LD_LIBRARY_PATH=${LIBRARIES:-} timeout -k 10 "$most" "$mscclj" nccl -- "$@" ;;
        nccl) LD_LIBRARY_PATH=${LIBRARIES:-} timeout -k 10 "$most" "$@" ;;
    esac </dev/null
}

# nccl_tests LIBRARY FORM PROGRAM ARGUMENT...: the form is processes, graphs or threads, which is one process. Results go to standard output.
nccl_tests() {
    local library=$1 form=$2 program=$NCCL_TESTS/$3_perf_mpi shared rank code=0 pids=()
    shift 3
    shared=$(mktemp)
    export MPI_FILE=$shared MPI_SIZE=2
    case $form in
        threads)
            MPI_RANK=0 MPI_SIZE=1 under "$library" "$program" -g 2 "$@" || code=$?
            ;;
        *)
            [ "$form" = graphs ] && set -- -G 5 "$@"
            for rank in 0 1; do
                MPI_RANK=$rank under "$library" "$program" "$@" &
                pids+=($!)
            done
            for rank in "${pids[@]}"; do
                wait "$rank" || code=$?
            done
            ;;
    esac
    rm -f "$shared"
    return "$code"
}

# told CODE NAME LOG: what a log says, which is added to OUTPUT/NAME. nccl-tests do not check some results in place.
told() {
    local rows wrong unchecked
    rows=$(grep -cE '^ +[0-9]+ +[0-9]+ +[a-z]' "$3")
    wrong=$(awk '/^ +[0-9]+ +[0-9]+ +[a-z]/ { wrong += $(NF - 4) + $NF } END { print wrong + 0 }' "$3")
    unchecked=$(grep -E '^ +[0-9]+ +[0-9]+ +[a-z]' "$3" | grep -c 'N/A')
    [ "$1" = 0 ] && [ "$rows" != 0 ] && [ "$wrong" = 0 ] || failed=1
    echo "$2: $rows rows, $wrong wrong, $unchecked not checked in place, ended with $1, $SECONDS s"
    cat "$3" >>"$output/$2"
    rm -f "$3"
}

# Averages of integers are left out: NCCL and nccl-tests divide a sum that has wrapped, mscclj divides the exact one.
types() {
    local program type operation lanes=() most=300
    for type in int8 uint8 int32 uint32 int64 uint64 half float double bfloat16 f8e4m3 f8e5m2; do
        (
            failed=0
            for program in all_reduce reduce reduce_scatter; do
                case $type in
                    *int*) operations="sum prod max min mulsum" ;;
                    *) operations=all ;;
                esac
                for operation in $operations; do
                    types_of "$program" "$type" "$operation"
                done
            done
            exit "$failed"
        ) &
        lanes+=($!)
    done
    (
        failed=0
        for program in all_gather broadcast alltoall gather scatter sendrecv alltoallv hypercube; do
            types_of "$program" all none
        done
        exit "$failed"
    ) &
    lanes+=($!)
    for type in "${lanes[@]}"; do
        wait "$type" || failed=1
    done
}

# types_of PROGRAM TYPE OPERATION
types_of() {
    local log code=0 arguments=(-d "$2" -b 8 -e 8M -f 1024 -n 1 -w 0 -c 1)
    log=$(mktemp)
    [ "$3" = none ] || arguments+=(-o "$3")
    nccl_tests mscclj threads "$1" "${arguments[@]}" >"$log" 2>&1 || code=$?
    told "$code" "types-$1-$2" "$log"
}

# columns FILE: bytes, time out of place, time in place.
columns() {
    awk '/^ +[0-9]+ +[0-9]+ +[a-z]/ { print $1, $(NF - 7), $(NF - 3) }' "$1"
}

times() {
    local program form library code log
    rm -f "$output/times"
    for form in ${FORMS:-processes graphs threads}; do
        for program in ${PROGRAMS:-all_reduce all_gather reduce_scatter broadcast reduce alltoall gather scatter sendrecv}; do
            for library in nccl mscclj; do
                code=0
                log=$(mktemp)
                rm -f "$output/$form-$program-$library"
                nccl_tests "$library" "$form" "$program" -d half -b 1K -e 64M -f 4 -n 20 -w 5 -c 1 >"$log" 2>&1 || code=$?
                told "$code" "$form-$program-$library" "$log"
            done
            columns "$output/$form-$program-nccl" >"$output/beside"
            columns "$output/$form-$program-mscclj" | join - "$output/beside" |
                awk -v what="$form $program" '{ printf "%s %s: %s %.2f, in place %s %.2f\n", what, $1, $2, $2 / $4, $3, $3 / $5 }' |
                tee -a "$output/times"
        done
    done
}

# ranks LIBRARY SCRIPT ARGUMENT...: by torchrun.
ranks() {
    local library=$1 script=$2
    shift 2
    under "$library" "$python" -m torch.distributed.run --nproc-per-node 2 --master-port $((29500 + RANDOM % 400)) "$scripts/$script" "$@"
}

pytorch() {
    local script code
    for script in collectives graphs lost; do
        code=0
        if [ "$script" = lost ]; then
            under mscclj "$python" "$scripts/lost.py" >"$output/$script" 2>&1 || code=$?
        else
            ranks mscclj "$script.py" >"$output/$script" 2>&1 || code=$?
        fi
        [ "$code" = 0 ] || failed=1
        echo "$script: ended with $code, $SECONDS s"
        grep -E '^(rank [0-9]+: .*(checks|right)|after|lost)|Error' "$output/$script" | cut -c1-300 | tail -n 6
    done
}

training() {
    local library code
    for library in nccl mscclj nccl mscclj; do
        code=0
        ranks "$library" training.py "$output/training-$library.json" >"$output/training-$library" 2>&1 || code=$?
        [ "$code" = 0 ] || failed=1
        echo "training with $library: ended with $code, $SECONDS s"
        grep 'ms a step' "$output/training-$library"
    done
    "$python" - "$output" <<'P' || failed=1
import json, sys
nccl, ours = [json.load(open(f"{sys.argv[1]}/training-{library}.json")) for library in ("nccl", "mscclj")]
for name in nccl:
    apart = max(abs(a - b) / abs(a) for a, b in zip(nccl[name]["losses"], ours[name]["losses"]))
    print(f"{name}: losses differ by {apart:.2e} at most, {ours[name]['ms'] / nccl[name]['ms']:.3f} times the time of a step")
    assert apart < 1e-3, name
P
}

for part; do
    "$part"
done
echo "gpus: $([ "$failed" = 0 ] && echo passed || echo FAILED)"
exit "$failed"
