package org.mscclj.conformance.rank.group;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.mscclj.api.Communicator;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.rank.result.ResultChecks;

/**
 * Checks splits by lists of ranks. The ranks of a list form a child in the list's order. An empty list gives no child,
 * and different ranks may split into different lists at once. All children work.
 */
final class SplitCheck implements RankCheck {
    @Override
    public void check(RankContext context) {
        int world = context.test().world();
        int rank = context.rank();
        List<Integer> all = IntStream.range(0, world).boxed().toList();
        split(context, "all ranks, backwards", all.reversed());
        split(context, "every other rank", parity(all, rank));
        split(context, "all ranks but the last", rank == world - 1 ? List.of() : all.subList(0, world - 1));
        context.communicator().barrier();
    }

    private static List<Integer> parity(List<Integer> ranks, int rank) {
        return ranks.stream().filter(other -> other % 2 == rank % 2).toList();
    }

    private static void split(RankContext context, String what, List<Integer> ranks) {
        String name = "conformance-split";
        judge(context, what, ranks, name, context.communicator().split(ranks, name));
    }

    /**
     * Checks a child, and closes it.
     *
     * @param ranks the correct ranks, in their order; empty if there must be no child
     * @param name the correct name
     */
    static void judge(
            RankContext context, String what, List<Integer> ranks, String name, Optional<Communicator> given) {
        if (ranks.isEmpty()) {
            given.ifPresent(child -> {
                context.report(
                        FindingKind.BEHAVIOUR,
                        "splitting into " + what + ": a rank that takes no part has got a communicator of "
                                + child.size() + " ranks; right is none");
                child.close();
            });
            return;
        }
        if (given.isEmpty()) {
            context.report(
                    FindingKind.BEHAVIOUR, "splitting into " + what + " has given nothing to a rank of " + ranks);
            return;
        }
        try (Communicator child = given.get()) {
            int right = ranks.indexOf(context.rank());
            if (child.rank() != right
                    || child.size() != ranks.size()
                    || !child.name().equals(name)) {
                context.report(
                        FindingKind.BEHAVIOUR,
                        "splitting into " + what + ": rank " + context.rank() + " is rank " + child.rank() + " of "
                                + child.size() + " in \"" + child.name() + "\"; right is " + right + " of "
                                + ranks.size() + " in \"" + name + '"');
            }
            ResultChecks.result().check(context.within(child, context.test().world(ranks.size())));
        }
    }
}
