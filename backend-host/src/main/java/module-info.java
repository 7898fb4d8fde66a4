import org.jspecify.annotations.NullMarked;

/** Collectives on the CPU. */
@NullMarked
module org.mscclj.backend.host {
    requires org.mscclj.api;
    requires org.mscclj.plan;
    requires org.mscclj.spi;
    requires static jdk.incubator.vector;
    requires static transitive org.jspecify;
}
