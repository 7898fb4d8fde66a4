import org.jspecify.annotations.NullMarked;

/** Collectives of Java objects, with explicit codecs. */
@NullMarked
module org.mscclj.objects {
    requires transitive org.mscclj.api;
    requires static org.jspecify;
    requires tools.jackson.databind;

    exports org.mscclj.objects;
}
