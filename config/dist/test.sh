#!/usr/bin/env bash
# Makes the archive, unpacks it into a folder with a space in its name, and uses it with no Java and hardly anything else on PATH. CI
# runs it on Linux x86_64 after the build; elsewhere it says that it does nothing.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
most=45000000

if [ "$(uname -s) $(uname -m)" != "Linux x86_64" ]; then
    echo "dist test: skipped, archives are made on Linux x86_64 only"
    exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "dist test: $1" >&2
    [ -f "$work/said" ] && cat "$work/said" >&2
    find "$work" -name '*.log' -path '*out*' -exec sh -c 'echo "--- $1"; tail -n 20 "$1"' sh {} \; >&2
    exit 1
}

# All that the archive may need of the system.
tools=$work/tools
mkdir "$tools"
for tool in sh env dirname readlink mkdir ls cksum cut id stat mv rm kill true setsid setpriv; do
    if path=$(type -P "$tool"); then
        ln -s "$path" "$tools/$tool"
    fi
done

# Runs a command of the archive in an empty environment; its output is in $work/said. The first argument is the exit code it must have.
expect() {
    local code=0 expected=$1
    shift
    (cd "$work" && env -i PATH="$tools" "$@" >"$work/said" 2>&1 </dev/null) || code=$?
    [ "$code" -eq "$expected" ] || fail "$* ended with $code instead of $expected"
}

says() {
    grep -Eq -- "$1" "${2:-$work/said}" || fail "${2:-the output} has no line like: $1"
}

mkdir "$work/plans"
cp "$root/examples/plans/allgather_2ranks.json" "$work/plans/"

mkdir "$work/kernels"
echo compiled >"$work/kernels/key.cubin"
echo 13.0 >"$work/kernels/toolkit"
echo other >"$work/kernels/other"

archive=$work/archive.tar.xz
XZ_OPT=-0 "$root/mscclj" dist --output "$archive" --plans "$work/plans" --kernels "$work/kernels" >"$work/said" 2>&1 || fail "mscclj dist failed"
says '^.*archive.tar.xz \([0-9]+ MB\)$'
size=$(stat -c %s "$archive")
[ "$size" -lt "$most" ] || fail "the archive has $size bytes, more than $most"

mkdir "$work/a folder"
tar --extract --directory "$work/a folder" --file "$archive"
home=$(echo "$work/a folder"/mscclj-*)

expect 0 "$home/bin/mscclj" info
says '^  host +available'
says '^  Vector API +on'
for file in README.md docs/guide/README.md LICENSE NOTICE docs/decisions/0008-bootstrap.md docs/SPEC.md examples/torchcomm/README.md device/mscclj/memorychannel.cuh; do
    [ -f "$home/$file" ] || fail "the archive has no $file"
done
[ "$(echo $(ls "$home/kernels"))" = "key.cubin toolkit" ] || fail "the archive has other kernels than key.cubin and toolkit: $(ls "$home/kernels")"
says "^ +MSCCLJ_KERNELS_DIR=$home/kernels$"
[ -z "$(find "$home" -name target)" ] || fail "the archive has what a build left behind: $(find "$home" -name target)"
# The archive of classes, and the path that a symbolic link hides.
ln -s "$home/bin/mscclj" "$work/linked"
expect 0 env MSCCLJ_CACHE_DIR=/proc/none MSCCLJ_JAVA_OPTS='-Xshare:on -Xlog:class+load' "$work/linked" --version
says 'java.lang.Object source: shared objects file'
# The first start leaves classes for the second.
expect 0 env MSCCLJ_CACHE_DIR="$work/cache" "$work/linked" --version
expect 0 env MSCCLJ_CACHE_DIR="$work/cache" MSCCLJ_JAVA_OPTS=-Xlog:class+load "$work/linked" --version
says 'org.mscclj.cli.Main source: shared objects file'
# Not in a folder that others can write to: the classes could be theirs.
mkdir -m 1777 "$work/open"
expect 0 env MSCCLJ_CACHE_DIR="$work/open" "$work/linked" --version
[ -z "$(ls "$work/open")" ] || fail "classes are left in a folder that everybody can write to"
expect 2 "$home/bin/mscclj" dist
# What stands in for NCCL. The loader cannot load it from a folder with a space in its name.
[ -f "$home/nccl/libnccl.so.2" ] || fail "the archive has no nccl/libnccl.so.2"
[ -f "$home/jdk/lib/libjsig.so" ] || fail "the archive has no jdk/lib/libjsig.so"
expect 0 "$home/bin/mscclj" nccl --help
says '^Usage: mscclj nccl'
expect 2 "$home/bin/mscclj" nccl -- env
says 'a space or a colon is in '
cp -R "$home" "$work/unpacked"
expect 0 "$work/unpacked/bin/mscclj" nccl -- env
says "^LD_PRELOAD=$work/unpacked/jdk/lib/libjsig.so:$work/unpacked/nccl/libnccl.so.2$"
# A rank's VM maps the classes of the archive, wherever that is.
if command -v cc >/dev/null; then
    cc -o "$work/program" "$root/nccl-interposer/src/test/loader/program.c" -ldl
    expect 0 env MSCCLJ_JAVA_OPTS=-Xlog:class+load "$work/unpacked/bin/mscclj" nccl -- "$work/program" id libnccl.so.2
    says 'org.mscclj.interposer.NcclCalls source: shared objects file'
fi
# Flight recordings, with our settings by name.
expect 0 env MSCCLJ_JAVA_OPTS="-XX:StartFlightRecording:settings=mscclj,filename=$work/recording.jfr" "$work/linked" info
says 'Started recording 1'
[ -s "$work/recording.jfr" ] || fail "there is no flight recording"

expect 1 NVCC=/none "$home/bin/compare-nccl" allreduce
says '^compare-nccl: there is no nvcc on PATH'
expect 2 "$home/bin/compare-nccl" allreduc
says 'there is no collective allreduc; allowed: allreduce'
[ -f "$home/benchmarks/nccl_graph.cpp" ] || fail "the archive has no source of the program that compare-nccl builds"

expect 0 "$home/bin/gpu-check" --backend host --quick --ranks 2 --parts info,plans,perf --output "$work/a folder/out"
says '^info +- +- +passed +[0-9.]+ +info.log '
says '^plans +2 +threads +passed .* plans-2-threads.log +10 right$'
says '^plans +2 +processes +passed .* 10 right$'
says '^perf allreduce +2 +processes +passed '
says '^# 5 passed: .*/a folder/out/results.html$'
says '"ok" : true' "$work/a folder/out/results.json"
says '"ok" : true' "$work/a folder/out/plans-2-processes.json"
says '<h1>mscclj selftest: 5 passed</h1>' "$work/a folder/out/results.html"

# What goes wrong is told, and does not stop the rest.
sed '/"name": "signal"/d' "$work/plans/allgather_2ranks.json" >"$work/plans/hangs.json"
echo '{}' >"$work/plans/bad.json"
expect 1 "$home/bin/gpu-check" --backend host --quick --ranks 2 --as threads --parts plans,perf --plans "$work/plans"
says '^plans +2 +threads +FAILED .* 2 right, 2 failed, 1 bad plan$'
says '^perf allreduce +2 +threads +passed '
says '^# 1 passed, 1 FAILED: gpu-check/results.html$'
says '"ok" : false' "$work/gpu-check/results.json"
says 'bad plan +bad' "$work/gpu-check/plans-2-threads.log"
expect 0 "$home/bin/gpu-check" --backend host --quick --ranks 2 --as threads --parts plans --plans "$work/plans" --except hangs,bad
says '^plans +2 +threads +passed .* 2 right$'
expect 1 "$home/bin/gpu-check" --backend none-of-ours --parts info
says '^info +- +- +FAILED '

echo "dist test: passed, $((size / 1000000)) MB"
