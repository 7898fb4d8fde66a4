package org.mscclj.cli.measure;

import java.util.Optional;
import java.util.Set;
import org.mscclj.api.PreparedOperation;
import org.mscclj.conformance.suite.InstalledBackend;
import org.mscclj.spi.Feature;

/** How the launches of a batch are made. */
public enum LaunchMethod {
    /** One by one, each from the rank's own thread, which waits for its end. */
    EAGER("eager"),
    /** As one graph, which was captured before and is replayed. */
    GRAPH("graph");

    private final String label;

    LaunchMethod(String label) {
        this.label = label;
    }

    /** Whether a backend, which must be available, can capture launches. */
    public static boolean captures(String backend) {
        return features(backend).contains(Feature.GRAPH_CAPTURE);
    }

    /**
     * What shows best how fast a backend, which must be available, is: a graph where a device carries it out without
     * the host.
     */
    public static LaunchMethod preferred(String backend) {
        return features(backend).containsAll(Set.of(Feature.GRAPH_CAPTURE, Feature.DEVICE_CHANNELS)) ? GRAPH : EAGER;
    }

    private static Set<Feature> features(String backend) {
        return InstalledBackend.find(Optional.of(backend)).capabilities().features();
    }

    /** As options and reports name it. */
    public String label() {
        return label;
    }

    /** Makes a batch ready. */
    Batch batch(PreparedOperation operation, int launches) {
        return switch (this) {
            case EAGER -> new EagerBatch(operation, launches);
            case GRAPH -> GraphBatch.capture(operation, launches);
        };
    }
}
