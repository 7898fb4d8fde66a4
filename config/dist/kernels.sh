#!/bin/sh
# Compiles ahead what bin/gpu-check wants to have compiled: kernels.sh OUTPUT [PLANS…], before mscclj dist --kernels OUTPUT. A run of the checks on emulated
# GPUs tells which kernels these are (config/emulation/mscclj, and what that needs); nvcc compiles them, for sm_90 or the ARCHITECTURES given. Take
# time: of the checks the rules by threads alone take three minutes on two cores, and each kernel takes a core of nvcc a second or two.
#
#   ARCHITECTURES   for example "sm_80 sm_90"
#   OPTIONS         what the kernels are to be for: options of mscclj selftest, as "--ranks 2,8 --worlds 1,2,3,8"; "--as threads" by default, as processes need the
#                   same kernels, but for one or two
#
# Which kernels rules need depends on the whole list of --worlds: compile for the list that will be checked, which is gpu-check's own unless OPTIONS has one.
#
# Checks that do not end well are told, and no reason to stop: what they had compiled is there, and their results are no matter here. No kernel at all is.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd -P)
[ $# -ge 1 ] || {
    echo "usage: kernels.sh OUTPUT [PLANS...]" >&2
    exit 2
}
command -v nvcc >/dev/null || {
    echo "kernels.sh: there is no nvcc on PATH, which compiles kernels where there is no GPU: install a CUDA toolkit" >&2
    exit 1
}
output=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
mkdir "$work/sources" "$work/compiling"

for folder; do
    shift
    set -- "$@" --plans "$folder"
done
set -- "$@" --plans "$root/examples/plans"
# A cache of its own, as only what is compiled is told.
# shellcheck disable=SC2086 # options are words
EMULATION_SOURCES="$work/sources" MSCCLJ_CACHE_DIR="$work/cache" EMULATED_GPUS=4 \
    "$root/config/emulation/mscclj" selftest --backend cuda "$@" --minutes 60 --output "$work/out" ${OPTIONS---as threads} ||
    echo "kernels.sh: not all checks ended well, so some kernels may be missing" >&2

jdk=$("$root/config/build/find-jdk.sh")
# shellcheck disable=SC2086 # architectures are words
"$jdk/bin/java" -cp "$root/mscclj-cli/target/lib/*" "$root/config/dist/CompileKernels.java" "$work/sources" "$work/compiling" "$output" ${ARCHITECTURES:-sm_90}
