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
import org.mscclj.conformance.rule.Rule;
import org.mscclj.conformance.scenario.GroupKind;

/** Ranks of one process whose collectives are the reference's. */
final class ReferenceGroup implements LocalGroup {
    private final LocalGroup inner;
    private final List<ReferenceCommunicator> communicators = new ArrayList<>();

    private ReferenceGroup(LocalGroup inner, IntFunction<Defect> defects, Terms terms) {
        this.inner = inner;
        Meeting setUp = new Meeting(inner.size());
        Meeting launches = new Meeting(inner.size());
        for (int rank = 0; rank < inner.size(); rank++) {
            communicators.add(new ReferenceCommunicator(
                    inner.communicator(rank), setUp, launches, defects.apply(rank), new AtomicInteger(), terms));
        }
    }

    /**
     * Groups with a defect.
     *
     * @param defects makes the defect of a rank
     */
    static RankGroups with(IntFunction<Defect> defects, Duration timeout) {
        return (mode, world, kind) -> {
            ReferenceGroup group = new ReferenceGroup(
                    LocalGroup.open(LocalGroupOptions.ranks(world)
                            .ranksPerNode(mode.ranksPerNode(world))
                            .timeout(kind.timeout(timeout))
                            .strictHints(kind.refusesHints())),
                    defects,
                    Terms.of(kind));
            return new LocalRankGroup(group, timeout, rank -> new PretendedProcess(group.communicators.get(rank)));
        };
    }

    /**
     * Whether a rule is about something that the reference lacks: its calls run in threads, not behind the work of the
     * stream that they name. {@link BrokenAgreementsTest} tests this rule with a communicator of the CPU backend.
     */
    static boolean lacks(Rule rule) {
        return rule.id().equals("spec0601_callsRunOnTheStreamTheyName");
    }

    /** The reference's collectives over a group, with defects. */
    static LocalGroup over(LocalGroup inner, IntFunction<Defect> defects) {
        return new ReferenceGroup(inner, defects, Terms.of(GroupKind.USUAL));
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
