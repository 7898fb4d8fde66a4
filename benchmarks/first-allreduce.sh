#!/bin/sh
# Measures the time of a JVM until its first allreduce on GPUs has ended, with archived classes and compiled kernels,
# alternating with a C program that creates the same contexts. Rows are milliseconds since the start of each process,
# and the free memory of the first GPU at the end: the difference is the memory of the communicators on it, with the
# code of their kernels.
#
#   first-allreduce.sh UNPACKED_ARCHIVE [GPUS] [ROUNDS]
#
# Needs a C compiler, an archive of mscclj dist, unpacked, and a build: mvn -B -pl benchmarks -am package -DskipTests
set -eu

benchmarks=$(cd "$(dirname "$0")" && pwd -P)
archive=${1:?usage: first-allreduce.sh UNPACKED_ARCHIVE [GPUS] [ROUNDS]}
gpus=${2:-1}
rounds=${3:-5}
ranks=$((gpus > 1 ? gpus : 2)) # of which two share a single GPU
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

jars=$(printf '%s:' "$archive"/lib/*.jar "$benchmarks"/target/mscclj-benchmarks-*.jar)
export CUDA_DEVICE_MAX_CONNECTIONS="${CUDA_DEVICE_MAX_CONNECTIONS:-32}" # our default, not the driver's: the same for both

java() {
    START_NANOS=$(date +%s%N) "$archive/jdk/bin/java" -XX:+UseSerialGC -Xlog:cds*=off -Xlog:aot*=off "$@" \
        --add-modules jdk.incubator.vector --enable-native-access=ALL-UNNAMED -cp "$jars" \
        org.mscclj.benchmarks.FirstAllReduce cuda "$ranks" 2>"$work/said" || {
        cat "$work/said" >&2
        exit 1
    }
}

${CC:-gcc} -O2 -o "$work/contexts" "$benchmarks/src/main/c/contexts.c" -ldl
java >/dev/null # compiles the kernels, if need be
java -XX:ArchiveClassesAtExit="$work/classes.jsa" >/dev/null
if ! [ -s "$work/classes.jsa" ]; then
    echo "first-allreduce.sh: the classes were not archived; without -Xlog:cds*=off the VM says why" >&2
    exit 1
fi
echo "$gpus GPUs, $ranks ranks, $CUDA_DEVICE_MAX_CONNECTIONS hardware queues"
round=0
while [ "$round" -lt "$rounds" ]; do
    START_NANOS=$(date +%s%N) "$work/contexts" "$gpus"
    java -XX:SharedArchiveFile="$work/classes.jsa"
    round=$((round + 1))
done
