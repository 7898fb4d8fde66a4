import org.jspecify.annotations.NullMarked;

/** Execution plans: the model, its layout over buffers, and its file format. */
@NullMarked
module org.mscclj.plan {
    requires transitive org.mscclj.api;
    requires tools.jackson.core;
    requires static transitive org.jspecify;

    exports org.mscclj.plan;
    exports org.mscclj.plan.layout;
}
