import org.jspecify.annotations.NullMarked;

/** Execution plans: model, JSON, DSL, verifier, simulator. */
@NullMarked
module org.mscclj.plan {
    requires transitive org.mscclj.api;
    requires tools.jackson.core;
    requires static transitive org.jspecify;
}
