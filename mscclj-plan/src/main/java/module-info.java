import org.jspecify.annotations.NullMarked;

/** Execution plans: model, JSON, DSL, verifier, simulator. */
@NullMarked
module org.mscclj.plan {
    requires transitive org.mscclj.api;
    requires tools.jackson.core;
    requires static transitive org.jspecify;

    exports org.mscclj.plan;
    exports org.mscclj.plan.json;
    exports org.mscclj.plan.layout;
    exports org.mscclj.plan.text;
}
