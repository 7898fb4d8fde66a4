import org.jspecify.annotations.NullMarked;

/** A reference plan interpreter, and the parts of a simple backend, for vendors. */
@NullMarked
@SuppressWarnings("module") // the module that uses the arithmetic is compiled later
module org.mscclj.support {
    requires transitive org.mscclj.api;
    requires transitive org.mscclj.spi;
    requires org.mscclj.plan;
    requires static org.jspecify;

    exports org.mscclj.support.arithmetic to
            org.mscclj.backend.host;
    exports org.mscclj.support.device;
    exports org.mscclj.support.ffm;
    exports org.mscclj.support.interpreter;
    exports org.mscclj.support.launch;
    exports org.mscclj.support.memory;
    exports org.mscclj.support.stream;
}
