import org.jspecify.annotations.NullMarked;

/** Execution plans: the model, its layout over buffers, its checks, its files and its text. */
@NullMarked
@SuppressWarnings("module") // the engine and the GPU engine are compiled later
module org.mscclj.plan {
    requires transitive org.mscclj.api;
    requires tools.jackson.core;
    requires static org.jspecify;

    exports org.mscclj.plan;
    exports org.mscclj.plan.folder to
            org.mscclj.gpu,
            org.mscclj.runtime,
            org.mscclj.spi;
    exports org.mscclj.plan.html;
    exports org.mscclj.plan.json;
    exports org.mscclj.plan.language;
    exports org.mscclj.plan.layout;
    exports org.mscclj.plan.pairing;
    exports org.mscclj.plan.picture;
    exports org.mscclj.plan.program;
    exports org.mscclj.plan.simulate;
    exports org.mscclj.plan.simulate.calibrate;
    exports org.mscclj.plan.simulate.topology;
    exports org.mscclj.plan.text;
    exports org.mscclj.plan.validation;
    exports org.mscclj.plan.verify;

    provides org.mscclj.api.plan.PlanLoader with
            org.mscclj.plan.json.FilePlanLoader;
}
