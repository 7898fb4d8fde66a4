import org.jspecify.annotations.NullMarked;

/** The API that applications compile against. The runtime is found by {@link java.util.ServiceLoader}. */
@NullMarked
module org.mscclj.api {
    requires static org.jspecify;

    exports org.mscclj.api;
    exports org.mscclj.api.algorithm;
    exports org.mscclj.api.bootstrap;
    exports org.mscclj.api.channel;
    exports org.mscclj.api.device;
    exports org.mscclj.api.element;
    exports org.mscclj.api.error;
    exports org.mscclj.api.hook;
    exports org.mscclj.api.mesh;
    exports org.mscclj.api.option;
    exports org.mscclj.api.plan;
    exports org.mscclj.api.tuning;
    exports org.mscclj.api.type;

    uses org.mscclj.api.Platform;
    uses org.mscclj.api.plan.PlanLoader;
    uses org.mscclj.api.tuning.TuningFiles;
}
