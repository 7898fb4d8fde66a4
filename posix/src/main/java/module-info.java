import org.jspecify.annotations.NullMarked;

/** The C library, called by FFM, for the modules of this project only: a caller can end the process. */
@NullMarked
@SuppressWarnings("module") // the modules that use it are compiled later
module org.mscclj.posix {
    requires static org.jspecify;

    exports org.mscclj.posix to
            org.mscclj.backend.cuda,
            org.mscclj.backend.host,
            org.mscclj.backend.nccl,
            org.mscclj.backend.rocm,
            org.mscclj.conformance,
            org.mscclj.dlpack,
            org.mscclj.gpu,
            org.mscclj.transport.ib;
}
