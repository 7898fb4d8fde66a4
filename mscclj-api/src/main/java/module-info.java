import org.jspecify.annotations.NullMarked;

/** The API that applications compile against. */
@NullMarked
module org.mscclj.api {
    requires static transitive org.jspecify;
}
