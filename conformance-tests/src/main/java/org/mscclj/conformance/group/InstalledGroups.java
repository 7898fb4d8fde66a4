package org.mscclj.conformance.group;

import java.time.Duration;
import java.util.Optional;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.conformance.scenario.GroupKind;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.task.BusyCarriers;

/**
 * Opens groups of the installed runtime.
 *
 * @param backend the backend's name; empty for the best available one
 * @param timeout the timeout of an operation
 * @param busyCarriers whether virtual threads keep all carriers busy in each process with ranks
 * @param command what starts ranks that are processes
 */
public record InstalledGroups(Optional<String> backend, Duration timeout, boolean busyCarriers, RankCommand command)
        implements RankGroups {
    /** Creates groups whose processes are started directly, and whose carriers are not kept busy. */
    public InstalledGroups(Optional<String> backend, Duration timeout) {
        this(backend, timeout, false, RankCommand.NONE);
    }

    @Override
    public RankGroup open(Mode mode, int world, GroupKind kind) {
        return switch (mode) {
            case THREADS, NODES ->
                ofThreads(LocalGroupOptions.ranks(world).ranksPerNode(mode.ranksPerNode(world)), kind);
            case PROCESSES, PROCESS_NODES -> ProcessRankGroup.start(mode, world, kind, this);
        };
    }

    private RankGroup ofThreads(LocalGroupOptions options, GroupKind kind) {
        if (!busyCarriers) {
            return local(options, kind);
        }
        BusyCarriers busy = BusyCarriers.hold();
        try {
            return new BusyRankGroup(local(options, kind), busy);
        } catch (RuntimeException | Error e) {
            busy.close();
            throw e;
        }
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
