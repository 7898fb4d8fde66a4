package org.mscclj.runtime.communicator;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.mscclj.api.Capabilities;
import org.mscclj.api.Capability;
import org.mscclj.spi.Feature;

/** Maps what backends declare to what applications query. */
final class CapabilityMap {
    private CapabilityMap() {}

    static Capabilities of(org.mscclj.spi.Capabilities declared) {
        Set<Capability> others = EnumSet.noneOf(Capability.class);
        declared.features().forEach(feature -> of(feature).ifPresent(others::add));
        return new Capabilities(declared.dataTypes(), declared.reduceOps(), declared.maxRanks(), others);
    }

    /**
     * Returns the capability of a feature. Empty for features that describe how ranks run, which an open communicator
     * shows.
     */
    static Optional<Capability> of(Feature feature) {
        return switch (feature) {
            case RANKS_AS_THREADS, RANKS_AS_PROCESSES -> Optional.empty();
            case PLANS -> Optional.of(Capability.PLANS);
            case HOST_CHANNELS -> Optional.of(Capability.HOST_CHANNELS);
            case DEVICE_CHANNELS -> Optional.of(Capability.DEVICE_CHANNELS);
            case HOST_MEMORY -> Optional.of(Capability.HOST_MEMORY);
            case MULTICAST -> Optional.of(Capability.MULTICAST);
            case GRAPH_CAPTURE -> Optional.of(Capability.GRAPH_CAPTURE);
            case POINT_TO_POINT -> Optional.of(Capability.POINT_TO_POINT);
            case WINDOWS -> Optional.of(Capability.WINDOWS);
            case ABORT -> Optional.of(Capability.ABORT);
        };
    }
}
