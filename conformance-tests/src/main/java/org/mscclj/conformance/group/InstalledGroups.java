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
            case THREADS, NODES -> local(LocalGroupOptions.ranks(world).ranksPerNode(mode.ranksPerNode(world)));
            case PROCESSES -> ProcessRankGroup.start(world, backend, timeout);
        };
    }

    private RankGroup local(LocalGroupOptions options) {
        LocalGroupOptions named = options.timeout(timeout).name("conformance");
        return new LocalRankGroup(LocalGroup.open(backend.isPresent() ? named.backend(backend.get()) : named), timeout);
    }
}
