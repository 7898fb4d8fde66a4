#!/usr/bin/env bash
# Compiles all kernels for AMD GPUs, without an AMD GPU: compile.sh [TABLE]. Sources are those of engines, and those in
# examples and in the conformance suite. Clang 15, which Debian's hipcc brings, compiles for MI100 and MI200, and Clang
# 19 for MI300 and others that it knows; both without headers of HIP. hipcc compiles a few of them in its own way.
# Prints the registers, the memory and the spills of each group of kernels; the file TABLE gets those of each kernel.
#
# CI runs it after the build. Where no compiler is, it says so and does nothing.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
table=${1:-/dev/null}
# All kernels are compiled for these, a sample for the others.
whole="gfx90a gfx942"
# The name of a kernel of the sample: one of each group.
sample='^(plan-direct-allreduce|type-float8_e4m3|fused-float16|lines-float16|transfer-0|scale-avg-int64-in|clock|user-alltoall)$'

# The compiler for a target, if one is there that knows it.
compiler() {
    local clang clangs=(clang-19 clang-15)
    if [[ "$1" == gfx90? ]]; then
        clangs=(clang-15 clang-19)
    fi
    for clang in "${clangs[@]}"; do
        if command -v "$clang" >/dev/null \
            && "$clang" -x hip --cuda-device-only "--offload-arch=$1" -nogpulib -nogpuinc -S -o /dev/null /dev/null 2>/dev/null; then
            echo "$clang"
            return
        fi
    done
}

# Compiles FILE for TARGET with CLANG into the folder OUTPUT. A release of GFX9 must wait for the write-back of its
# cache, which compilers are known to have omitted.
compile_one() {
    local file=$1 target=$2 clang=$3 output=$4 name assembly
    name=$(basename "$file")
    assembly=$output/$target/${name%.cu}.s
    if ! "$clang" -x hip --cuda-device-only "--offload-arch=$target" -nogpulib -nogpuinc -std=c++17 -O3 -Wall -Werror \
        -Wno-unused-const-variable -Wno-unneeded-internal-declaration -S -o "$assembly" "$file" >"$assembly.log" 2>&1; then
        echo "hip: $clang does not compile $name for $target:" >&2
        head -n 20 "$assembly.log" >&2
        return 1
    fi
    awk -v where="$name for $target" '
        /buffer_wbl2/ { writes = 1; next }
        writes && /s_waitcnt.*vmcnt\(0\)/ { writes = 0 }
        writes && /^\t(global|flat|buffer)_/ { print "hip: " where " has a release that does not wait: " $0; bad = 1; writes = 0 }
        END { exit bad }' "$assembly" >&2
}

# The figures of each kernel of an assembly, by the metadata at its end.
figures() {
    awk '
        BEGIN {
            names = ".vgpr_count .agpr_count .sgpr_count .group_segment_fixed_size .private_segment_fixed_size"
            split(names " .vgpr_spill_count .sgpr_spill_count", fields, " ")
        }
        FNR == 1 {
            parts = split(FILENAME, path, "/")
            target = path[parts - 1]
            file = substr(path[parts], 1, length(path[parts]) - 2)
            metadata = 0
        }
        /^amdhsa.kernels:/ { metadata = 1 }
        !metadata { next }
        /^  - / { delete value; sub("  - ", "    ") }
        /^    \.[a-z_]+:/ { value[substr($1, 1, length($1) - 1)] = $2 }
        /^    \.wavefront_size:/ {
            name = value[".name"] ~ /^mscclj_/ ? file : file "/" value[".name"]
            printf "%s %s", target, name
            for (i = 1; i in fields; i++) printf " %d", value[fields[i]]
            print ""
        }' "$@"
}

if [ "${1:-}" = --one ]; then
    shift
    compile_one "$@"
    exit
fi

pairs=()
for target in gfx908 gfx90a gfx942 gfx950 gfx1100 gfx1200; do
    clang=$(compiler "$target")
    if [ -n "$clang" ]; then
        pairs+=("$target $clang")
    else
        echo "hip: nothing is compiled for $target: no compiler is there that knows it; install clang-19, or hipcc"
    fi
done
[ ${#pairs[@]} -gt 0 ] || exit 0
jars=$root/mscclj-cli/target/lib
[ -d "$jars" ] || {
    echo "hip: $jars is missing: build first, by mvn -B verify" >&2
    exit 1
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/sources"
start=$SECONDS
"$("$root/config/build/find-jdk.sh")/bin/java" -cp "$jars/*" "$root/config/hip/WriteKernels.java" "$work/sources" \
    "$root"/examples/native-algorithms/*.cu "$root"/conformance-tests/src/main/resources/org/mscclj/conformance/rank/kernel/*.cu

for pair in "${pairs[@]}"; do
    read -r target clang <<<"$pair"
    mkdir "$work/$target"
    for file in "$work"/sources/*.cu; do
        if [[ " $whole " == *" $target "* || $(basename "$file" .cu) =~ $sample ]]; then
            echo "$file $target $clang $work"
        fi
    done
done >"$work/list"
xargs -P "$(nproc)" -L 1 "$0" --one <"$work/list" || {
    echo "hip: not all kernels compile" >&2
    exit 1
}

if command -v hipcc >/dev/null && [[ " ${pairs[*]} " == *" gfx90a "* ]]; then
    for name in plan-direct-allreduce fused-float16; do
        HIP_PLATFORM=amd hipcc --genco --offload-arch=gfx90a -std=c++17 -O3 -x hip -o "$work/$name.hsaco" "$work/sources/$name.cu" || {
            echo "hip: hipcc does not compile $name" >&2
            exit 1
        }
    done
    echo "hip: hipcc compiles plan-direct-allreduce and fused-float16 for gfx90a, too"
fi

figures "$work"/gfx*/*.s | sort >"$work/figures"
{
    echo "| target | kernel | VGPR | AGPR | SGPR | LDS | scratch | spilled VGPR | spilled SGPR |"
    echo "|---|---|---|---|---|---|---|---|---|"
    awk '{ line = "|"; for (i = 1; i <= NF; i++) line = line " " $i " |"; print line }' "$work/figures"
} >"$table"

echo "hip: the most of each group; LDS is in bytes for each block, scratch in bytes for each thread"
awk '
    { group = $2; sub("-.*", "", group); key = sprintf("%-8s %-9s", $1, group); count[key]++
      for (i = 3; i <= NF; i++) if ($i > most[key, i]) most[key, i] = $i }
    END {
        print "target   kernels    number   VGPR   AGPR   SGPR    LDS  scratch  spilled VGPR  spilled SGPR"
        for (key in count)
            printf "%s %8d %6d %6d %6d %6d %8d %13d %13d\n", key, count[key], most[key, 3], most[key, 4],
                most[key, 5], most[key, 6], most[key, 7], most[key, 8], most[key, 9] | "sort"
    }' "$work/figures"
echo "hip: $(wc -l <"$work/list") compilations of $(find "$work/sources" -name '*.cu' | wc -l) sources in $((SECONDS - start)) s"
