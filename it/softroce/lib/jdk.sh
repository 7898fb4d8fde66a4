# shellcheck shell=bash disable=SC2034,SC2154 # variables of the scripts that read this file
# Java for the guest.

# Those of MSCCLJ, of JUnit, and those that a test or a look at a running VM may need.
jdk_modules=java.base,java.logging,java.management,java.xml,java.net.http,jdk.incubator.vector,jdk.jcmd,jdk.jfr
jdk_modules+=,jdk.management,jdk.net,jdk.unsupported,jdk.zipfs

find_jdk() {
    jdk=$("$root/config/build/find-jdk.sh") ||
        fail 69 "no JDK 25 was found, and guests get theirs from one: install openjdk-25-jdk or set JAVA_HOME"
}

# Compiled code is expensive in emulation: QEMU translates it again after each change. So only hot methods are compiled.
jdk_options="-XX:TieredStopAtLevel=1 -XX:CompileThresholdScaling=50"

# With an archive of classes, as loading them takes a third of the time of a short program. The guest has no AVX, and an
# archive that is made with AVX-512 does not work there.
make_jdk() {
    "$jdk/bin/jlink" --add-modules "$jdk_modules" --strip-debug --no-header-files --no-man-pages --compress=zip-0 \
        --add-options="$jdk_options" --output root/jdk
    root/jdk/bin/java -XX:UseAVX=0 -XX:+UseSerialGC -Xshare:dump >dump.log 2>&1 || {
        cat dump.log >&2
        return 1
    }
    archive root >jdk.cpio
    rm dump.log
}

# guest_jdk: makes the JDK of the guests, once; its folder in the cache is guest_jdk.
guest_jdk() {
    find_jdk
    guest_jdk=jdk-$(key "$jdk/release" "$here/lib/jdk.sh")
    made "$guest_jdk" make_jdk
}
