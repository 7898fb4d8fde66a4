import org.jspecify.annotations.NullMarked;

/** What examines plans without running them: the verifier, the simulator, and pictures. */
@NullMarked
module org.mscclj.analysis {
    requires transitive org.mscclj.api;
    requires transitive org.mscclj.plan;
    requires static org.jspecify;

    exports org.mscclj.analysis.html;
    exports org.mscclj.analysis.picture;
    exports org.mscclj.analysis.simulate;
    exports org.mscclj.analysis.simulate.calibrate;
    exports org.mscclj.analysis.simulate.timeline;
    exports org.mscclj.analysis.simulate.topology;
    exports org.mscclj.analysis.verdict;
    exports org.mscclj.analysis.verify;
}
