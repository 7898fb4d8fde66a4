# shellcheck shell=bash disable=SC2034,SC2154 # variables of the scripts that read this file
# A VM in a guest spends most of its first minutes on classes: it loads and links them and makes their lambdas. Archives
# of classes save half of that. They are made here, by the JDK of the guests, from a run of rules on one node. Classes of
# transport ib are not in them.

. "$here/tests/class_path.sh"

# rehearse FOLDER: makes FOLDER/classes/suite.aot and FOLDER/classes/ranks.aot, for over_rdma.sh. The guests exist.
rehearse() {
    local java
    guest_jdk
    java=$cache/$guest_jdk/root/jdk/bin/java
    class_path_over_rdma "$root" "$1/lib"
    # The first rank that makes a folder keeps its classes.
    cat >"$1/rank" <<END
if mkdir "$1/first" 2>/dev/null; then
    export JAVA_TOOL_OPTIONS="-XX:UseAVX=0 -XX:AOTCacheOutput=$1/classes/ranks.aot"
fi
exec "\$@"
END
    "$java" -XX:UseAVX=0 -XX:AOTCacheOutput="$1/classes/suite.aot" "${java_over_rdma[@]}" -cp "$class_path" \
        org.mscclj.cli.Main conformance --backend host --depth quick --timeout 1m --world 4 --mode processes \
        --rank-command "sh $1/rank" --rule "$short" >"$1/rehearsal" 2>&1 || {
        cat "$1/rehearsal"
        fail 1 "the rules fail on this machine, too"
    }
    [ -s "$1/classes/suite.aot" ] && [ -s "$1/classes/ranks.aot" ] || {
        cat "$1/rehearsal"
        fail 1 "the rehearsal of the rules has left no archives of classes"
    }
}
