import org.jspecify.annotations.NullMarked;

/**
 * The conformance suite: the rules of {@code docs/SPEC.md} as checks. A vendor extends {@code BackendConformance} or
 * {@code TransportConformance}, which need JUnit; the rules themselves do not.
 */
@NullMarked
@SuppressWarnings("module") // the command is built after this module
module org.mscclj.conformance {
    requires transitive org.mscclj.api;
    requires org.mscclj.language;
    requires org.mscclj.plan;
    requires transitive org.mscclj.spi;
    requires java.management;
    requires jdk.management;
    requires org.mscclj.posix;
    requires static org.junit.jupiter.api;
    requires static org.jspecify;

    exports org.mscclj.conformance;
    exports org.mscclj.conformance.element;
    exports org.mscclj.conformance.group;
    exports org.mscclj.conformance.operation to
            org.mscclj.cli;
    exports org.mscclj.conformance.rank;
    exports org.mscclj.conformance.report;
    exports org.mscclj.conformance.resource;
    exports org.mscclj.conformance.rule;
    exports org.mscclj.conformance.scenario;
    exports org.mscclj.conformance.suite;

    uses org.mscclj.spi.device.BackendProvider;
    uses org.mscclj.spi.transport.TransportProvider;
}
