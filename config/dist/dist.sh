#!/bin/sh
# Makes the archive that runs on a machine without Java; ./mscclj dist calls it.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd -P)

usage() {
    cat <<'END'
Make one archive with everything that the command needs, Java included, for linux-x86_64.
Usage: mscclj dist [-h] [--kernels=FOLDER] [--output=FILE] [--plans=FOLDER]

      --kernels=FOLDER Put compiled kernels (*.cubin) of a folder into it, so that GPUs of the same
                         architecture need not compile them. config/dist/kernels.sh makes such a
                         folder where nvcc is. Or for the same NVRTC: the folder kernels of
                         ~/.cache/mscclj, or of MSCCLJ_CACHE_DIR, where gpu-check has run once.
      --output=FILE    Where to write it; its name ends in .tar.xz or .tar.gz.
                         Default: target/dist/mscclj-VERSION-linux-x86_64.tar.xz.
      --plans=FOLDER   Put the execution plans (*.json) of a folder into it, as plans/.
  -h, --help           Show this help message and exit.

Unpack it anywhere and run bin/mscclj. Only a checkout can make it: it needs the jlink of a JDK 25,
GNU tar, and xz.
END
}

fail() {
    echo "mscclj dist: $1" >&2
    exit "${2:-1}"
}

wrong() {
    fail "$1 (see mscclj dist --help)" 2
}

output=
plans=
kernels=
while [ $# -gt 0 ]; do
    case $1 in
        -h | --help)
            usage
            exit 0
            ;;
        --kernels | --output | --plans)
            [ $# -ge 2 ] || wrong "$1 needs a value"
            option=$1
            value=$2
            shift 2
            ;;
        --kernels=* | --output=* | --plans=*)
            option=${1%%=*}
            value=${1#*=}
            shift
            ;;
        *) wrong "there is no option $1; options: --help, --kernels, --output, --plans" ;;
    esac
    case $option in
        --kernels) kernels=$value ;;
        --output) output=$value ;;
        --plans) plans=$value ;;
    esac
done
case $output in
    '' | *.tar.xz | *.tar.gz) ;;
    *) wrong "--output is $output; its name must end in .tar.xz or .tar.gz" ;;
esac
if [ -n "$plans" ]; then
    [ -d "$plans" ] || wrong "--plans is $plans, and there is no such folder"
    [ -n "$(find "$plans/" -maxdepth 1 -name '*.json' | head -n 1)" ] || wrong "--plans is $plans, which has no *.json"
fi
if [ -n "$kernels" ]; then
    [ -d "$kernels" ] || wrong "--kernels is $kernels, and there is no such folder"
    [ -n "$(find "$kernels/" -maxdepth 1 -name '*.cubin' | head -n 1)" ] || wrong "--kernels is $kernels, which has no *.cubin"
fi
[ "$(uname -s) $(uname -m)" = "Linux x86_64" ] || fail "makes archives for Linux x86_64 on such machines only, and this is $(uname -sm)"
tar --version 2>/dev/null | grep -q 'GNU tar' || fail "needs GNU tar, and there is none on PATH: install it (Debian and Ubuntu: tar)"
case $output in
    *.tar.gz) ;;
    *) command -v xz >/dev/null || fail "needs xz, and there is none on PATH: install it (Debian and Ubuntu: xz-utils), or give --output with a name that ends in .tar.gz" ;;
esac

jdk=$("$root/config/build/find-jdk.sh" newer) || fail "needs a JDK 25, and none was found: install one (Debian and Ubuntu: openjdk-25-jdk, else https://adoptium.net) or set JAVA_HOME to it"
# Without jmods, jlink can still copy the JDK that it is in, if that was built for it.
if ! [ -x "$jdk/bin/jlink" ] || { ! [ -d "$jdk/jmods" ] && ! "$jdk/bin/jlink" --help | grep -q 'run-time image enabled'; }; then
    fail "the JDK in $jdk cannot make a smaller one of itself: it has no jlink, or no jmods; install them (Debian and Ubuntu: openjdk-25-jdk), or set JAVA_HOME to a JDK 25 that has both, such as that of https://adoptium.net"
fi

"$root/mscclj" --version >/dev/null || exit # builds what is out of date
jars=$root/mscclj-cli/target/lib
cli=$(find "$root/mscclj-cli/target" -maxdepth 1 -name 'mscclj-cli-*.jar')
version=${cli##*/mscclj-cli-}
version=${version%.jar}
name=mscclj-$version-linux-x86_64
output=${output:-$root/target/dist/$name.tar.xz}

mkdir -p "$root/target/dist" "$(dirname "$output")"
log=$root/target/dist/log
echo "mscclj dist: making $output with the Java of $jdk, which takes about a minute; log: $log" >&2
work=$(mktemp -d "$root/target/dist/work.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
content=$work/$name
mkdir "$content"
time=$(sed -n 's:.*<project.build.outputTimestamp>\(.*\)</project.build.outputTimestamp>.*:\1:p' "$root/pom.xml")

# What the jars refer to, and what the backend uses where it is there.
feature=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$jdk/release")
modules=$("$jdk/bin/jdeps" --multi-release "$feature" --ignore-missing-deps --print-module-deps --module-path "$jars" \
    "$jars"/mscclj-*.jar "$jars"/jackson-*.jar "$jars"/picocli-*.jar "$cli") ||
    fail "jdeps failed: $modules"
# The JDK's modules among them. The class data archive, for a faster start, wants logging. The launcher handles signals by
# jdk.unsupported, which it calls by reflection, so that jdeps does not see it.
modules=$(printf '%s\n' "$modules" | tr ',' '\n' | grep -E '^(java|jdk)\.' | paste -s -d , -),jdk.incubator.vector,java.logging,jdk.unsupported
"$jdk/bin/jlink" --add-modules "$modules" --strip-java-debug-attributes --no-header-files --no-man-pages \
    --compress zip-0 --generate-cds-archive --output "$content/jdk" >"$log" 2>&1 || {
    cat "$log" >&2
    fail "jlink of $jdk failed"
}

cp -R "$root/config/dist/bin" "$root/config/dist/lib" "$root/config/dist/README.txt" "$content/"
cp "$jars"/*.jar "$cli" "$content/lib/"
# What stands in for NCCL. An archive that is made without a C compiler lacks it, and "mscclj nccl" says so.
if command -v cc >/dev/null; then
    "$root/config/interposer/libraries" "$content/nccl" "$jdk" || fail "the library that stands in for NCCL cannot be built"
else
    echo "mscclj dist: there is no cc on PATH, so the archive has no library that stands in for NCCL" >&2
fi
# Where -XX:StartFlightRecording:settings=mscclj looks for it.
mkdir -p "$content/jdk/lib/jfr"
cp "$root/mscclj-runtime/src/main/resources/org/mscclj/runtime/event/mscclj.jfc" "$content/jdk/lib/jfr/"
# Of JCuda's native libraries only the driver's is used, and a compiler among them is a third of the archive.
for jar in "$content/lib"/jcuda-natives-*.jar; do
    if [ -f "$jar" ]; then
        mkdir "$work/natives"
        (cd "$work/natives" && "$jdk/bin/jar" --extract --file "$jar")
        rm -f "$work/natives/lib"/libJNvPTXCompiler-*
        "$jdk/bin/jar" --create --file "$jar" --date "$time" --manifest "$work/natives/META-INF/MANIFEST.MF" \
            -C "$work/natives" lib -C "$work/natives" META-INF/maven
    fi
done
# At their places in a checkout, so that links between them lead somewhere.
(cd "$root" && find examples docs -name target -prune -o -type f -exec cp --parents {} "$content/" \;)
cp "$root/README.md" "$root/CHANGELOG.md" "$root/LICENSE" "$root/NOTICE" "$root/SECURITY.md" "$content/"
# What bin/compare-nccl compiles.
mkdir "$content/benchmarks"
cp "$root/benchmarks/src/main/c/nccl_graph.cpp" "$content/benchmarks/"
# For compilers other than ours, and to read: what kernels of users may include.
mkdir "$content/device"
cp -R "$root/device-kernels/src/main/resources/org/mscclj/device/kernels/mscclj" "$content/device/"
if [ -n "$plans" ]; then
    mkdir "$content/plans"
    cp "$plans"/*.json "$content/plans/"
fi
if [ -n "$kernels" ]; then
    mkdir "$content/kernels"
    find "$kernels/" -maxdepth 1 \( -name '*.cubin' -o -name toolkit \) -exec cp {} "$content/kernels/" \;
fi
# Classes as a rank has them after its start, which the VM maps instead of loading them: with the options and the class
# path that the library gives to its VM, and jars as old as they are in the archive. Without it, ranks start slower.
if [ -f "$content/nccl/libnccl.so.2" ]; then
    touch -d "$time" "$content/lib"/*.jar
    class_path=$(LC_ALL=C sh -c 'printf "%s:" "$0"/*.jar' "$content/lib")
    timeout 120 "$content/jdk/bin/java" -Xrs -XX:+UseSerialGC -Xmx64m -XX:TieredStopAtLevel=1 -XX:-UsePerfData \
        --enable-native-access=ALL-UNNAMED "-XX:AOTCacheOutput=$content/nccl/classes.aot" \
        -cp "${class_path%:}" org.mscclj.interposer.Rehearsal >>"$log" 2>&1 || {
        cat "$log" >&2
        fail "the classes of ranks could not be archived"
    }
fi
chmod -R u+w,go-w,a+rX "$content"

# The order of files does not depend on who makes this, and their times do not on when.
case $output in
    *.gz) compressor='gzip -9n' ;;
    *) compressor='xz -T0' ;;
esac
tar --create --directory "$work" --sort=name --mtime="$time" --owner=0 --group=0 --numeric-owner \
    --use-compress-program "$compressor" --file "$work/archive" "$name" || fail "the archive could not be written"
mv "$work/archive" "$output"
echo "$output ($(($(stat -c %s "$output") / 1000000)) MB)"
