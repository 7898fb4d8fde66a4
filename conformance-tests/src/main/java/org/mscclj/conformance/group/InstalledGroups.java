package org.mscclj.conformance.group;

import java.time.Duration;
import java.util.Optional;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.conformance.scenario.Mode;

/**
 * Groups of the installed runtime.
 *
 * @param backend the backend's name; empty for the best available one
 * @param timeout what an operation may take
 */
public record InstalledGroups(Optional<String> backend, Duration timeout) implements RankGroups {
    @Override
    public RankGroup open(Mode mode, int world) {
        return switch (mode) {
            case THREADS -> local(LocalGroupOptions.ranks(world));
            case NODES -> local(LocalGroupOptions.ranks(world).ranksPerNode(ranksPerNode(world)));
            case PROCESSES -> ProcessRankGroup.start(world, backend, timeout);
        };
    }

    /** Two nodes where that divides the ranks, else a node for every rank. */
    private static int ranksPerNode(int world) {
        return world % 2 == 0 ? world / 2 : 1;
    }

    private RankGroup local(LocalGroupOptions options) {
        LocalGroupOptions named = options.timeout(timeout).name("conformance");
        return new LocalRankGroup(LocalGroup.open(backend.isPresent() ? named.backend(backend.get()) : named), timeout);
    }
}
