package org.mscclj.runtime.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.Algorithm;
import org.mscclj.api.AlgorithmCall;
import org.mscclj.api.AlgorithmCollection;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.algorithm.AlgorithmNeed;
import org.mscclj.api.algorithm.CallShape;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.plan.ExecutionPlan;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;

/** What MSCCL++'s default algorithms need, and what they say of random calls on random numbers of ranks and nodes. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DefaultAlgorithmsTest {
    private static final int GROUPS = 8;
    private static final int CASES = 12;
    private static final int MOST_ELEMENTS = 1 << 12;

    private final long seed = Long.getLong("mscclj.seed", System.nanoTime());

    private static Algorithm named(String name) {
        return AlgorithmCollection.defaults().get(Collective.ALLREDUCE, name).orElseThrow();
    }

    @Test
    void multicastIsNeededWhereTheNameSaysIt() {
        Set<Algorithm> all = Set.copyOf(AlgorithmCollection.defaults().all());
        assertEquals(12, all.size());
        assertEquals(
                all.stream()
                        .filter(algorithm -> algorithm.name().contains("nvls"))
                        .collect(Collectors.toSet()),
                all.stream()
                        .filter(algorithm -> algorithm.needs().contains(AlgorithmNeed.MULTICAST))
                        .collect(Collectors.toSet()));
        assertEquals(
                Set.of(AlgorithmNeed.MULTICAST, AlgorithmNeed.REGISTERED_BUFFERS),
                named("default_allreduce_nvls_zero_copy").needs());
        assertEquals(
                Set.of(AlgorithmNeed.MULTICAST, AlgorithmNeed.SCRATCH),
                named("default_allreduce_nvls_warp_pipeline").needs());
        for (Algorithm algorithm : all) {
            assertTrue(algorithm.target().isPresent() || algorithm.name().endsWith("_rsag_pipeline"), algorithm::name);
        }
    }

    @Test
    void refusalsAreTrue() {
        System.out.println("DefaultAlgorithmsTest: seed " + seed);
        Random sizes = new Random(seed);
        for (int number = 0; number < GROUPS; number++) {
            int ranksPerNode = 1 + sizes.nextInt(3);
            int ranks = ranksPerNode * (1 + sizes.nextInt(2));
            long calls = sizes.nextLong(); // equal on all ranks
            try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(ranks)
                    .ranksPerNode(ranksPerNode)
                    .backend("host")
                    .timeout(Duration.ofSeconds(60)))) {
                group.run(communicator -> {
                    Random random = new Random(calls);
                    for (int one = 0; one < CASES; one++) {
                        check(communicator, random);
                    }
                });
            }
        }
    }

    @Test
    void shapesAreWhatTheSelectorsOfTheCommunicatorSee() {
        ExecutionPlan plan = ShippedProgram.SCRATCH.plan(new ProgramSpec(Collective.ALLREDUCE, 2, 2, 0, true, 1));
        try (LocalGroup group = LocalGroup.open(2)) {
            group.run(communicator -> {
                communicator.plans().register(plan);
                List<CallShape> seen = new ArrayList<>();
                communicator.plans().setSelector((candidates, shape) -> {
                    seen.add(shape);
                    return Optional.of(candidates.getFirst());
                });
                List<CallShape> shapes = new ArrayList<>();
                for (boolean registered : new boolean[] {true, false}) {
                    try (DeviceBuffer memory = memory(communicator, registered, 64)) {
                        CollectiveCall call =
                                CollectiveCall.allReduce(memory, DataType.INT64).op(ReduceOp.MAX);
                        communicator.explain(call);
                        shapes.add(communicator.shape(call));
                        communicator.barrier();
                    }
                }
                assertEquals(seen, shapes);
                assertEquals(
                        new CallShape(Collective.ALLREDUCE, DataType.INT64, ReduceOp.MAX, 0, true, false, 2, 2, 64),
                        shapes.get(1));
            });
        }
    }

    @Test
    void plansHaveNumbersOfBlocksOfTheirOwn() {
        ExecutionPlan plan = ShippedProgram.SCRATCH.plan(new ProgramSpec(Collective.ALLREDUCE, 2, 2, 0, true, 1));
        Algorithm algorithm = Algorithm.named(Collective.ALLREDUCE, plan.name());
        try (LocalGroup group = LocalGroup.open(2)) {
            group.run(communicator -> {
                communicator.plans().register(plan);
                try (DeviceBuffer memory = communicator.allocate(64)) {
                    AlgorithmCall call =
                            new AlgorithmCall(communicator, memory, memory, DataType.INT64).op(ReduceOp.SUM);
                    assertEquals(Optional.empty(), algorithm.refusal(call));
                    String reason = algorithm.refusal(call.blocks(2, 0)).orElseThrow();
                    assertEquals("it has numbers of blocks and threads of its own; leave them 0", reason);
                    String message = assertThrows(
                                    UnsupportedException.class, () -> algorithm.execute(call.blocks(2, 0)))
                            .getMessage();
                    assertTrue(String.valueOf(message).contains(reason), message);
                    communicator.barrier();
                }
            });
        }
    }

    /** Asks an algorithm about a call, and then makes the call. */
    private static void check(Communicator communicator, Random random) {
        List<Algorithm> all = AlgorithmCollection.defaults().all();
        Algorithm algorithm = all.get(random.nextInt(all.size()));
        boolean gathers = algorithm.collective() == Collective.ALLGATHER;
        long bytes = 4L * random.nextInt(MOST_ELEMENTS);
        try (DeviceBuffer input = memory(communicator, random.nextBoolean(), bytes);
                DeviceBuffer output =
                        memory(communicator, random.nextBoolean(), gathers ? bytes * communicator.size() : bytes)) {
            AlgorithmCall call = new AlgorithmCall(communicator, input, output, DataType.INT32)
                    .op(gathers ? ReduceOp.NOP : ReduceOp.SUM)
                    .blocks(random.nextInt(3), 0);
            CallShape shape = communicator.shape(
                    gathers
                            ? CollectiveCall.allGather(input, output, DataType.INT32)
                            : CollectiveCall.allReduce(input, output, DataType.INT32));
            Optional<String> refusal = algorithm.refusal(call);
            assertTrue(
                    algorithm.refusal(shape).isEmpty() || refusal.isPresent(), "the shape refuses it, the ranks not");
            if (refusal.isPresent()) {
                UnsupportedException thrown =
                        assertThrows(UnsupportedException.class, () -> algorithm.execute(call), algorithm::name);
                assertTrue(String.valueOf(thrown.getMessage()).contains(refusal.get()), () -> refusal + ", " + thrown);
            } else {
                algorithm.execute(call).join();
            }
            communicator.barrier();
        }
    }

    private static DeviceBuffer memory(Communicator communicator, boolean registered, long bytes) {
        return registered ? communicator.allocate(bytes) : communicator.device().allocate(bytes);
    }
}
