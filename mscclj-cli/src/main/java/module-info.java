import org.jspecify.annotations.NullMarked;

/** The command {@code mscclj}. */
@NullMarked
module org.mscclj.cli {
    requires org.mscclj.analysis;
    requires org.mscclj.api;
    requires org.mscclj.conformance;
    requires org.mscclj.language;
    requires org.mscclj.objects;
    requires org.mscclj.plan;
    requires org.mscclj.runtime;
    requires org.mscclj.spi;
    requires info.picocli;
    requires java.management;
    requires jdk.management;
    requires jdk.unsupported;
    requires tools.jackson.core;
    requires static org.jspecify;

    uses org.mscclj.spi.fallback.FallbackProvider;

    opens org.mscclj.cli to
            info.picocli;
    opens org.mscclj.cli.conformance to
            info.picocli;
    opens org.mscclj.cli.launch to
            info.picocli;
    opens org.mscclj.cli.debug to
            info.picocli;
    opens org.mscclj.cli.explain to
            info.picocli;
    opens org.mscclj.cli.info to
            info.picocli;
    opens org.mscclj.cli.measure to
            info.picocli;
    opens org.mscclj.cli.options to
            info.picocli;
    opens org.mscclj.cli.perf to
            info.picocli;
    opens org.mscclj.cli.plan to
            info.picocli;
    opens org.mscclj.cli.ranks to
            info.picocli;
    opens org.mscclj.cli.run to
            info.picocli;
    opens org.mscclj.cli.selftest to
            info.picocli;
    opens org.mscclj.cli.simulate to
            info.picocli;
    opens org.mscclj.cli.stress to
            info.picocli;
    opens org.mscclj.cli.stress.rank to
            info.picocli;
    opens org.mscclj.cli.tune to
            info.picocli;
}
