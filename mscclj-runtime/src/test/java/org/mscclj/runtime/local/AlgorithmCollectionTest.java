package org.mscclj.runtime.local;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.Algorithm;
import org.mscclj.api.AlgorithmCall;
import org.mscclj.api.AlgorithmCollection;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.algorithm.CallShape;
import org.mscclj.api.algorithm.NativeArguments;
import org.mscclj.api.element.TypedBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AlgorithmCollectionTest {
    private static final int RANKS = 3;

    private static LocalGroup group() {
        return LocalGroup.open(LocalGroupOptions.ranks(RANKS).backend("host").timeout(Duration.ofSeconds(60)));
    }

    private static void run(Communicator communicator, Algorithm algorithm, int blocks) {
        boolean sums = algorithm.collective() == Collective.ALLREDUCE;
        try (TypedBuffer input = communicator.allocate(DataType.INT32, RANKS);
                TypedBuffer output = communicator.allocate(DataType.INT32, sums ? RANKS : RANKS * RANKS)) {
            int[] own = new int[RANKS];
            java.util.Arrays.fill(own, communicator.rank() + 1);
            input.copyFrom(own);
            AlgorithmCall call =
                    new AlgorithmCall(communicator, input.bytes(), output.bytes(), DataType.INT32).blocks(blocks, 0);
            algorithm.execute(sums ? call.op(ReduceOp.SUM) : call).join();
            int[] result = new int[sums ? RANKS : RANKS * RANKS];
            output.copyTo(result);
            assertArrayEquals(
                    sums ? new int[] {6, 6, 6} : new int[] {1, 1, 1, 2, 2, 2, 3, 3, 3}, result, algorithm::toString);
        }
    }

    @Test
    void defaultAlgorithmsAreRight() {
        List<Algorithm> defaults = AlgorithmCollection.defaults().all().stream()
                .filter(algorithm -> algorithm.target().isPresent())
                .toList();
        assertEquals(11, defaults.size());
        try (LocalGroup group = group()) {
            group.run(communicator -> {
                for (Algorithm algorithm : defaults) {
                    run(communicator, algorithm, 0);
                    run(communicator, algorithm, 2);
                }
            });
        }
    }

    @Test
    void selectorsPickOneAfterTheOther() {
        AlgorithmCollection collection = AlgorithmCollection.defaults();
        CallShape small = allReduce(true, 1 << 10);
        CallShape large = allReduce(true, 1 << 26);
        String message = assertThrows(UnsupportedException.class, () -> collection.select(small))
                .getMessage();
        assertTrue(String.valueOf(message).contains("default_allreduce_packet"), message);
        collection.setSelector((names, call) ->
                call.bytes() < 1 << 20 ? Optional.ofNullable(names.get("default_allreduce_packet")) : Optional.empty());
        collection.setFallbackSelector(
                (names, _) -> Optional.ofNullable(names.get("default_allreduce_rsag_zero_copy")));
        assertEquals("default_allreduce_packet", collection.select(small).name());
        assertEquals(
                "default_allreduce_rsag_zero_copy", collection.select(large).name());
    }

    private static CallShape allReduce(boolean registered, long bytes) {
        return new CallShape(Collective.ALLREDUCE, DataType.FLOAT16, ReduceOp.SUM, 0, false, registered, 8, 8, bytes);
    }

    @Test
    void whatCannotServeACallIsNotSelected() {
        AlgorithmCollection collection = AlgorithmCollection.defaults();
        collection.setSelector((names, _) -> Optional.ofNullable(names.get("default_allreduce_rsag_pipeline")));
        String message = assertThrows(UnsupportedException.class, () -> collection.select(allReduce(true, 8)))
                .getMessage();
        assertTrue(
                String.valueOf(message)
                        .contains("default_allreduce_rsag_pipeline: mscclj does not have this algorithm, which needs"
                                + " scratch; pick"),
                message);
        collection.setFallbackSelector(
                (names, _) -> Optional.ofNullable(names.get("default_allreduce_rsag_zero_copy")));
        assertEquals(
                "default_allreduce_rsag_zero_copy",
                collection.select(allReduce(true, 8)).name());
        String both = assertThrows(UnsupportedException.class, () -> collection.select(allReduce(false, 8)))
                .getMessage();
        assertTrue(String.valueOf(both).contains("default_allreduce_rsag_zero_copy: it needs buffers from"), both);
        assertTrue(String.valueOf(both).contains("default_allreduce_rsag_pipeline: "), both);
    }

    @Test
    void collectionsGrow() {
        AlgorithmCollection own = new AlgorithmCollection();
        own.register(Algorithm.named(Collective.ALLREDUCE, "ring"));
        own.extend(AlgorithmCollection.defaults());
        assertEquals(11, own.of(Collective.ALLREDUCE).size());
        assertEquals(
                Optional.of("ring"),
                own.get(Collective.ALLREDUCE, "ring").orElseThrow().target());
        assertEquals(Map.of(), own.of(Collective.BROADCAST));
        assertThrows(InvalidArgumentException.class, () -> own.extend(AlgorithmCollection.defaults()));
    }

    @Test
    void whatAnAlgorithmCannotFollowIsRefused() {
        Algorithm ring = Algorithm.named(Collective.ALLREDUCE, "ring");
        try (LocalGroup group = group()) {
            group.run(communicator -> {
                try (TypedBuffer buffer = communicator.allocate(DataType.FLOAT16, 4)) {
                    AlgorithmCall call = new AlgorithmCall(
                                    communicator, buffer.bytes(), buffer.bytes(), DataType.FLOAT16)
                            .op(ReduceOp.SUM);
                    ring.execute(call.blocks(0, 256)).join();
                    assertThrows(UnsupportedException.class, () -> ring.execute(accumulating(call, DataType.FLOAT64)));
                    assertThrows(
                            UnsupportedException.class,
                            () -> ring.execute(call.arguments(
                                    new NativeArguments(true, Optional.empty(), Map.of("counter", 1L)))));
                    ring.execute(accumulating(call, DataType.FLOAT32)).join();
                    ring.execute(call.blocks(2, 256)).join();
                    assertThrows(InvalidArgumentException.class, () -> ring.execute(call.blocks(2, 16)));
                    assertThrows(InvalidArgumentException.class, () -> call.blocks(-1, 0));
                }
            });
        }
    }

    private static AlgorithmCall accumulating(AlgorithmCall call, DataType type) {
        return call.arguments(new NativeArguments(false, Optional.of(type), Map.of()));
    }
}
