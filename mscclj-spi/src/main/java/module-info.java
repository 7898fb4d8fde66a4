import org.jspecify.annotations.NullMarked;

/** What backends and transports implement. */
@NullMarked
module org.mscclj.spi {
    requires transitive org.mscclj.api;
    requires transitive org.mscclj.plan;
    requires static transitive org.jspecify;
}
