package org.mscclj.cli.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.RankPlan;

/** From sizes to elements of a slice. */
class MessageSizesTest {
    private static Plan plan(Collective collective, int ranks, long least, long most) {
        List<RankPlan> none = IntStream.range(0, ranks)
                .mapToObj(rank ->
                        new RankPlan(rank, 1, 1, 0, List.of(), List.of(), List.of(), List.of(), List.of(), List.of()))
                .toList();
        return new Plan("p", collective, Protocol.SIMPLE, false, false, 1, false, 16, least, most, none);
    }

    private static List<Long> counts(List<MessageSizes.Size> sizes) {
        return sizes.stream().map(MessageSizes.Size::count).toList();
    }

    @Test
    void sizeIsTheOutputsForAllgatherAndTheInputsOtherwise() {
        assertEquals(
                List.of(256L),
                counts(new MessageSizes(plan(Collective.ALLREDUCE, 4, 0, -1), DataType.FLOAT32).ofSizes("1K")));
        assertEquals(
                List.of(64L),
                counts(new MessageSizes(plan(Collective.ALLGATHER, 4, 0, -1), DataType.FLOAT32).ofSizes("1K")));
        assertEquals(
                List.of(64L),
                counts(new MessageSizes(plan(Collective.REDUCESCATTER, 4, 0, -1), DataType.FLOAT32).ofSizes("1K")));
    }

    @Test
    void suffixesAreBinary() {
        MessageSizes sizes = new MessageSizes(plan(Collective.ALLREDUCE, 2, 0, -1), DataType.INT8);
        assertEquals(
                List.of(0L, 7L, 1L << 10, 2L << 20, 3L << 30, 1L << 40, 4L << 10, 4L << 10),
                counts(sizes.ofSizes("0,7,1K,2m,3G,1T,4KiB,4kb")));
        assertEquals(List.of(5L, 1024L), counts(sizes.ofCounts("5,1K")));
    }

    @Test
    void theDefaultStaysWithinTheLimits() {
        assertEquals(
                1 << 20,
                new MessageSizes(plan(Collective.ALLREDUCE, 2, 0, -1), DataType.INT8)
                        .ofDefault()
                        .count());
        assertEquals(
                1 << 16,
                new MessageSizes(plan(Collective.ALLREDUCE, 2, 0, 1 << 16), DataType.INT8)
                        .ofDefault()
                        .count());
        MessageSizes.Size up =
                new MessageSizes(plan(Collective.ALLTOALL, 3, 2_000_000, -1), DataType.INT32).ofDefault();
        assertEquals(166_667, up.count());
        assertTrue(up.note().isPresent());
    }

    @Test
    void limitsAreUnsigned() {
        MessageSizes sizes = new MessageSizes(plan(Collective.ALLREDUCE, 2, 8, -1), DataType.INT32);
        assertThrows(InvalidArgumentException.class, () -> sizes.ofCounts("1"));
        assertEquals(List.of(2L), counts(sizes.ofCounts("2")));
    }
}
