import org.jspecify.annotations.NullMarked;

/** Execution plans: the model, its layout over buffers, its checks, its files and its text. */
@NullMarked
@SuppressWarnings("module") // the modules that use digests, documents and folders are compiled later
module org.mscclj.plan {
    requires transitive org.mscclj.api;
    requires tools.jackson.core;
    requires static org.jspecify;

    exports org.mscclj.plan;
    exports org.mscclj.plan.digest to
            org.mscclj.gpu,
            org.mscclj.language,
            org.mscclj.runtime;
    exports org.mscclj.plan.document to
            org.mscclj.analysis,
            org.mscclj.cli,
            org.mscclj.conformance,
            org.mscclj.runtime,
            org.mscclj.spi;
    exports org.mscclj.plan.folder to
            org.mscclj.gpu,
            org.mscclj.language,
            org.mscclj.runtime,
            org.mscclj.spi;
    exports org.mscclj.plan.fusion to
            org.mscclj.analysis,
            org.mscclj.device.kernels;
    exports org.mscclj.plan.json;
    exports org.mscclj.plan.layout;
    exports org.mscclj.plan.pairing;
    exports org.mscclj.plan.preference;
    exports org.mscclj.plan.text;
    exports org.mscclj.plan.tuning to
            org.mscclj.runtime;
    exports org.mscclj.plan.validation;

    provides org.mscclj.api.plan.PlanLoader with
            org.mscclj.plan.json.FilePlanLoader;
}
