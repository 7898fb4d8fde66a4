package org.mscclj.plan.simulate;

import java.util.List;

/**
 * What happened when in a simulated launch.
 *
 * @param spans all operations of all blocks, by rank, block and time; those of proxies after those of blocks. Empty, as
 *     are dependencies and critical path, if they were not to be kept, or there are more than were to be
 * @param dependencies what waited for what, beyond the order within a block
 * @param links what went through each link
 * @param criticalPath indices of spans, first to last, of which each could not have begun or ended sooner than the one
 *     before allowed, and the last of which ended the launch
 * @param nanos when the last operation had ended, and all that was put on port channels had been acknowledged
 * @param operations how many spans there were, whether or not they are kept
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
