package org.mscclj.conformance.rank.group;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.mscclj.api.Communicator;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;

/**
 * Checks splits by colour. The ranks of a colour form a child, ordered by their keys, and by their ranks where keys are
 * equal. A rank without a colour gets no child. All children work.
 */
final class ColourCheck implements RankCheck {
    @Override
    public void check(RankContext context) {
        Communicator communicator = context.communicator();
        int world = context.test().world();
        int rank = context.rank();
        List<Integer> all = IntStream.range(0, world).boxed().toList();
        SplitCheck.judge(
                context,
                "one colour with equal keys",
                all,
                communicator.name() + ".7",
                communicator.split(7, Integer.MIN_VALUE));
        SplitCheck.judge(
                context,
                "the colours 0 and 1, backwards",
                all.reversed().stream().filter(other -> other % 2 == rank % 2).toList(),
                "conformance-colours",
                communicator.split(rank % 2, -rank, "conformance-colours", timeout(context)));
        boolean last = rank == world - 1;
        SplitCheck.judge(
                context,
                "all ranks but the last, which has no colour",
                last ? List.of() : all.subList(0, world - 1),
                communicator.name() + ".0",
                communicator.split(last ? Communicator.NO_COLOUR : 0, rank));
        communicator.barrier();
    }

    private static Duration timeout(RankContext context) {
        return context.communicator().timeout();
    }
}
