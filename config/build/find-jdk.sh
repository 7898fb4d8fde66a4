#!/bin/sh
# Prints the home of an installed JDK 25; a newer one if there is no 25 and "newer" is the argument. Prints nothing and
# exits 1 if there is none. A JDK, not a JRE: bin/javac must be there.
newer_is_fine=${1:-}

# The feature version of the JDK in $1, from its "release" file; nothing if that is no JDK.
feature_of() {
    [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 0
    sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"
}

# The home of the java on PATH, symbolic links resolved.
home_on_path() {
    file=$(command -v javac) || return 0
    while [ -L "$file" ]; do
        target=$(readlink "$file")
        case $target in
            /*) file=$target ;;
            *) file=$(dirname "$file")/$target ;;
        esac
    done
    dirname "$(dirname "$file")"
}

newest=0
newest_home=
for home in "${JAVA_HOME:-/nonexistent}" "$(home_on_path)" \
    /usr/lib/jvm/* /usr/java/* /usr/local/java/* /opt/* /opt/java/* /opt/jdk/* \
    "${HOME:-/nonexistent}"/.sdkman/candidates/java/* "${HOME:-/nonexistent}"/.jdks/* \
    "${HOME:-/nonexistent}"/.local/share/mise/installs/java/* "${HOME:-/nonexistent}"/.asdf/installs/java/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home \
    "${HOME:-/nonexistent}"/Library/Java/JavaVirtualMachines/*/Contents/Home \
    /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home /usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home; do
    feature=$(feature_of "$home")
    [ -n "$feature" ] || continue
    if [ "$feature" -eq 25 ]; then
        echo "$home"
        exit 0
    fi
    if [ "$feature" -gt 25 ] && [ "$feature" -gt "$newest" ]; then
        newest=$feature
        newest_home=$home
    fi
done
if [ "$newer_is_fine" = newer ] && [ -n "$newest_home" ]; then
    echo "$newest_home"
    exit 0
fi
exit 1
