package org.mscclj.conformance.group;

import java.time.Duration;
import java.util.Optional;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.conformance.scenario.GroupKind;
import org.mscclj.conformance.scenario.Mode;

/**
 * Groups of the installed runtime.
 *
 * @param backend the backend's name; empty for the best available one
 * @param timeout what an operation may take
 */
public record InstalledGroups(Optional<String> backend, Duration timeout) implements RankGroups {
    @Override
    public RankGroup open(Mode mode, int world, GroupKind kind) {
        return switch (mode) {
            case THREADS, NODES -> local(LocalGroupOptions.ranks(world).ranksPerNode(mode.ranksPerNode(world)), kind);
            case PROCESSES -> ProcessRankGroup.start(world, kind, backend, timeout);
        };
    }

    private RankGroup local(LocalGroupOptions options, GroupKind kind) {
        LocalGroupOptions named =
                options.timeout(kind.timeout(timeout)).name("conformance").strictHints(kind.refusesHints());
        if (kind.comparesCalls()) {
            named = named.compareCalls(true);
        }
        return new LocalRankGroup(LocalGroup.open(backend.map(named::backend).orElse(named)), timeout);
    }
}
