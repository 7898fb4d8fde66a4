#!/bin/sh
# Compiles ahead what bin/gpu-check wants to have compiled: kernels.sh OUTPUT [PLANS…], before mscclj dist --kernels OUTPUT. A run of the checks on emulated
# GPUs tells which kernels these are (docs/decisions/0026-emulated-gpus.md); nvcc compiles them, for sm_90 or the ARCHITECTURES given. Takes half an hour on
# two cores.
#
#   ARCHITECTURES   for example "sm_80 sm_90"
#   RANKS           numbers of ranks of plans and benchmarks; 2,4 by default
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
mkdir "$work/sources"

plans="--plans $root/examples/plans"
for folder; do
    plans="$plans --plans $folder"
done
# A cache of its own, as only what is compiled is told. Whether results are right is not the matter here.
# shellcheck disable=SC2086 # folders of plans are options
EMULATION_SOURCES="$work/sources" MSCCLJ_CACHE_DIR="$work/cache" EMULATED_GPUS=4 EMULATION_CXXFLAGS=-O1 \
    "$root/config/emulation/mscclj" selftest --backend cuda --ranks "${RANKS:-2,4}" $plans --minutes 60 --output "$work/out" ||
    echo "kernels.sh: not all checks ended well, so some kernels may be missing" >&2

jdk=$("$root/config/build/find-jdk.sh")
# shellcheck disable=SC2086 # architectures are words
"$jdk/bin/java" -cp "$root/mscclj-cli/target/lib/*" "$root/config/dist/CompileKernels.java" "$work/sources" "$output" ${ARCHITECTURES:-sm_90}
