package org.mscclj.analysis.simulate.timeline;

import java.util.List;

/**
 * The timeline of a simulated launch.
 *
 * @param spans all operations of all blocks, by rank, block and time; those of proxies follow those of blocks. Empty,
 *     as are dependencies and critical path, if the options exclude spans or the launch has more than their limit
 * @param dependencies the dependencies between spans beyond the order within a block
 * @param links the traffic of each link
 * @param criticalPath indices of spans, first to last; each of them determined the begin or end of the next, and the
 *     last one ended the launch
 * @param nanos time at which the last operation had ended and all requests to port channels were acknowledged
 * @param operations number of spans, kept or not
 */
public record Timeline(
        List<Span> spans,
        List<Dependency> dependencies,
        List<LinkUse> links,
        List<Integer> criticalPath,
        double nanos,
        long operations) {
    /** Copies the lists. */
    public Timeline {
        spans = List.copyOf(spans);
        dependencies = List.copyOf(dependencies);
        links = List.copyOf(links);
        criticalPath = List.copyOf(criticalPath);
    }
}
