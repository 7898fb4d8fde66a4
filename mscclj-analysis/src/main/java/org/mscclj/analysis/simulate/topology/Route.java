package org.mscclj.analysis.simulate.topology;

import java.util.List;

/**
 * The route from one rank to another.
 *
 * @param links positions in {@link Network#links()}
 * @param latency nanoseconds from a store by one rank until the other can see it
 */
public record Route(List<Integer> links, double latency) {
    /** Copies the list. */
    public Route {
        links = List.copyOf(links);
    }
}
