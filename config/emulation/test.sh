#!/usr/bin/env bash
# The CUDA backend on emulated GPUs: rules by threads, by graphs and by processes, plans, and processes that are killed. A folder of more plans may be given.
# CI runs it on Linux x86_64 after the build; elsewhere, and without the compilers cc and c++, it says that it does nothing.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
plans=("$root/examples/plans")
if [ $# -gt 0 ]; then
    plans+=("$1")
fi

if [ "$(uname -s) $(uname -m)" != "Linux x86_64" ] || ! command -v cc >/dev/null || ! command -v c++ >/dev/null; then
    echo "emulation test: skipped, it needs Linux x86_64 and the compilers cc and c++"
    exit 0
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT

# Says how it ended; all of what it said, if not well.
expect() {
    local start=$SECONDS
    if ! "$root/config/emulation/mscclj" "$@" >"$log" 2>&1 </dev/null; then
        cat "$log"
        echo "emulation test: failed: mscclj $*" >&2
        exit 1
    fi
    echo "emulation test: $((SECONDS - start)) s, $(grep '^# [0-9]* \(passed\|right\)\|^# .* failures' "$log" | tail -n 1 | sed 's/^# //'): mscclj $*"
}

conformance=(conformance --backend cuda --depth quick)
expect "${conformance[@]}" --mode threads --no-waits
expect "${conformance[@]}" --mode threads --graphs --world 3
expect "${conformance[@]}" --mode processes --smoke
# Three that are not right: one has a race, which shows here, and two cannot be read.
for ranks in 2 4 8; do
    expect run "${plans[@]}" --backend cuda --ranks "$ranks" --dtype float16,int32 --packet LL16,LL8 \
        --size 1K,12,64K,1000,77777,300K --except committed_exec_reduce_tbg,committed_allreduce_pipeline,ut_switch_reduce_test
done
