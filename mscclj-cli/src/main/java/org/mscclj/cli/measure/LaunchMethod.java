package org.mscclj.cli.measure;

import java.util.Optional;
import java.util.Set;
import org.mscclj.api.PreparedOperation;
import org.mscclj.conformance.suite.InstalledBackend;
import org.mscclj.spi.Feature;

/** The way in which the launches of a batch are made. */
public enum LaunchMethod {
    /** One by one, from the rank's thread, which waits for each. */
    EAGER("eager"),
    /** As one graph, which was captured before and is replayed. */
    GRAPH("graph");

    private final String label;

    LaunchMethod(String label) {
        this.label = label;
    }

    /** Whether a backend can capture launches. The backend must be available. */
    public static boolean captures(String backend) {
        return features(backend).contains(Feature.GRAPH_CAPTURE);
    }

    /**
     * Returns the method that measures a backend best: a graph if a device executes it without the host. The backend
     * must be available.
     */
    public static LaunchMethod preferred(String backend) {
        return features(backend).containsAll(Set.of(Feature.GRAPH_CAPTURE, Feature.DEVICE_CHANNELS)) ? GRAPH : EAGER;
    }

    private static Set<Feature> features(String backend) {
        return InstalledBackend.find(Optional.of(backend)).capabilities().features();
    }

    /** Returns the name in options and reports. */
    public String label() {
        return label;
    }

    /** Prepares a batch. */
    Batch batch(PreparedOperation operation, int launches) {
        return switch (this) {
            case EAGER -> new EagerBatch(operation, launches);
            case GRAPH -> GraphBatch.capture(operation, launches);
        };
    }
}
