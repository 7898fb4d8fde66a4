# shellcheck shell=bash disable=SC2034 # variables of the scripts that read this file
# The VM of the command over transport ib, here and in guests: an archive of classes is for one class path and for one
# collector. The VM of a guest compiles no vectors.
java_over_rdma=(-XX:+UseSerialGC -Dmscclj.host.vector=false --enable-native-access=ALL-UNNAMED --illegal-native-access=deny)

# class_path_over_rdma CHECKOUT FOLDER: sets class_path to the jars of the command without transport tcp, by way of
# links in the folder, in the order of their names.
class_path_over_rdma() {
    local jar
    mkdir "$2"
    class_path=
    for jar in "$1"/mscclj-cli/target/mscclj-cli-*.jar "$1"/mscclj-cli/target/lib/*.jar; do
        case $jar in
            */mscclj-transport-tcp-*) continue ;;
        esac
        ln -s "$jar" "$2"
        class_path+=${class_path:+:}$2/${jar##*/}
    done
}
