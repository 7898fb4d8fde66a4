package org.mscclj.conformance.reference;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.conformance.group.LocalRankGroup;
import org.mscclj.conformance.group.RankGroups;

/** Ranks of one process whose collectives are the reference's. */
final class ReferenceGroup implements LocalGroup {
    private final LocalGroup inner;
    private final List<Communicator> communicators = new ArrayList<>();

    private ReferenceGroup(LocalGroup inner, IntFunction<Defect> defects) {
        this.inner = inner;
        Meeting setUp = new Meeting(inner.size());
        Meeting launches = new Meeting(inner.size());
        for (int rank = 0; rank < inner.size(); rank++) {
            communicators.add(new ReferenceCommunicator(
                    inner.communicator(rank), setUp, launches, defects.apply(rank), new AtomicInteger()));
        }
    }

    /**
     * Groups with a defect.
     *
     * @param defects makes the defect of a rank
     */
    static RankGroups with(IntFunction<Defect> defects, Duration timeout) {
        return (mode, world) -> new LocalRankGroup(
                new ReferenceGroup(
                        LocalGroup.open(LocalGroupOptions.ranks(world)
                                .ranksPerNode(mode.ranksPerNode(world))
                                .timeout(timeout)),
                        defects),
                timeout);
    }

    /** The reference's collectives over a group, with defects. */
    static LocalGroup over(LocalGroup inner, IntFunction<Defect> defects) {
        return new ReferenceGroup(inner, defects);
    }

    @Override
    public int size() {
        return inner.size();
    }

    @Override
    public Communicator communicator(int rank) {
        return communicators.get(rank);
    }

    @Override
    public void run(RankTask task) {
        inner.run(communicator -> task.run(communicators.get(communicator.rank())));
    }

    @Override
    public void abort(String reason) {
        inner.abort(reason);
    }

    @Override
    public void close() {
        communicators.forEach(Communicator::close);
        inner.close();
    }
}
