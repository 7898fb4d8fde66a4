import org.jspecify.annotations.NullMarked;

/** The engine. */
@NullMarked
module org.mscclj.runtime {
    requires org.mscclj.api;
    requires org.mscclj.plan;
    requires org.mscclj.spi;
    requires static transitive org.jspecify;
}
