#!/bin/sh
# Compares the Java reductions, and launches of a plan that reduces, with C loops (gcc -O3 -march=native) on a single
# thread, alternating in one process, and prints tables with the ratio to C in each row. Arguments: names of element
# types, by default all (first table only).
#
# Needs gcc and a build: mvn -B -pl benchmarks -am package -DskipTests
set -eu

benchmarks=$(cd "$(dirname "$0")" && pwd -P)
java=$("$benchmarks/../config/build/find-jdk.sh")/bin/java
library=$(mktemp -d)
trap 'rm -rf "$library"' EXIT

if [ ! -d "$benchmarks/target/lib" ]; then
    echo "reduce.sh: not built; run: mvn -B -pl benchmarks -am package -DskipTests" >&2
    exit 1
fi
${CC:-gcc} -O3 -march=native -shared -fPIC -o "$library/libreduce.so" "$benchmarks/src/main/c/reduce.c"

uname -srm
sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1
"$java" -version 2>&1 | head -n 1
${CC:-gcc} --version | head -n 1
compare() {
    main=$1
    shift
    # shellcheck disable=SC2086 # Options are separated by spaces.
    "$java" ${MSCCLJ_JAVA_OPTS:-} --add-modules jdk.incubator.vector --enable-native-access=ALL-UNNAMED \
        -cp "$benchmarks/target/classes:$benchmarks/target/lib/*" \
        "org.mscclj.benchmarks.$main" "$library/libreduce.so" "$@"
}

echo
echo "kernels"
compare ReduceComparison "$@"
echo
echo "launches of a plan"
compare PlanComparison
