import org.jspecify.annotations.NullMarked;

/** Exchange of tensors with other software in the same process, by DLPack. */
@NullMarked
module org.mscclj.dlpack {
    requires transitive org.mscclj.api;
    requires org.mscclj.posix;
    requires static org.jspecify;

    exports org.mscclj.dlpack;
}
