import org.jspecify.annotations.NullMarked;

/** What a library in C calls that stands in for NCCL. It finds the classes by their names, so that none is exported. */
@NullMarked
module org.mscclj.interposer {
    requires java.logging;
    requires org.mscclj.api;
    requires static org.jspecify;
}
