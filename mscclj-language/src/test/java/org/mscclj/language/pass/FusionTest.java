package org.mscclj.language.pass;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;

/** Fused steps have the effect of the original steps, in any order of elements. Failures name the seed. */
class FusionTest {
    private static final int PROGRAMS = 5_000;

    @Test
    void fusedProgramsHaveTheEffectOfTheirSteps() {
        Set<DataKind> kinds = EnumSet.noneOf(DataKind.class);
        for (long seed = 0; seed < PROGRAMS; seed++) {
            RandomSteps random = new RandomSteps(seed);
            List<BlockStep> steps = random.steps(12, false);
            List<BlockStep> fewer = new Fusion(random.ranges(), FusionLimits.MSCCLPP).fuse(steps);
            fewer.forEach(step -> kinds.add(kind(step)));
            TestMemory expected = new TestMemory(random.plan());
            TestMemory actual = new TestMemory(random.plan());
            expected.run(RandomSteps.RANK, steps, seed);
            actual.run(RandomSteps.RANK, fewer, -seed);
            String where = "seed " + seed + "\n" + steps + "\n" + fewer;
            assertArrayEquals(expected.values(), actual.values(), where);
            assertEquals(expected.log(), actual.log(), where);
        }
        assertTrue(
                kinds.containsAll(EnumSet.range(DataKind.REDUCE, DataKind.REDUCE_COPY_SEND_PACKETS)), "only " + kinds);
    }

    @Test
    void manyTransfersAreFusedAsPairwise() {
        int fewer = 0;
        for (long seed = 0; seed < PROGRAMS; seed++) {
            RandomSteps random = new RandomSteps(seed);
            List<BlockStep> steps = random.steps(12, false);
            for (FusionLimits limits : List.of(FusionLimits.MSCCLPP, FusionLimits.NONE)) {
                Fusion fusion = new Fusion(random.ranges(), limits);
                assertEquals(fusion.twoByTwo(steps), fusion.fuse(steps), "seed " + seed + "\n" + steps);
                fewer += TransferRuns.join(steps, random.ranges(), limits).size() < steps.size() ? 1 : 0;
            }
        }
        assertTrue(fewer > 0, "no program had transfers to join");
    }

    private static DataKind kind(BlockStep step) {
        return step instanceof BlockStep.Run(Operation.Data data, boolean _, boolean _) ? data.kind() : DataKind.REDUCE;
    }

    /**
     * Copies are never fused, so that each can be identified, and every synchronising step here has its own channel.
     */
    @Test
    void synchronisationsBetweenStepsAreKept() {
        for (long seed = 0; seed < PROGRAMS; seed++) {
            List<BlockStep> steps = copiesAndSync(new SplittableRandom(seed));
            List<List<String>> expected = betweenSyncs(SyncInsertion.insert(steps));
            List<List<String>> actual = betweenSyncs(
                    SyncInsertion.insert(new Fusion(new RandomSteps(seed).ranges(), FusionLimits.MSCCLPP).fuse(steps)));
            String where = "seed " + seed + "\n" + expected + "\n" + actual;
            assertEquals(
                    expected.stream().flatMap(List::stream).toList(),
                    actual.stream().flatMap(List::stream).toList(),
                    where);
            for (List<String> together : actual) {
                for (int i = 1; i < together.size(); i++) {
                    String one = together.get(i - 1);
                    String next = together.get(i);
                    boolean fusedSync = !one.startsWith("copy") && !next.startsWith("copy");
                    assertTrue(
                            fusedSync || expected.stream().anyMatch(part -> part.contains(one) && part.contains(next)),
                            where);
                }
            }
            assertTrue(actual.stream().noneMatch(List::isEmpty), "two meetings in a row: " + where);
        }
    }

    private static List<BlockStep> copiesAndSync(SplittableRandom random) {
        List<BlockStep> steps = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            switch (random.nextInt(4)) {
                case 0 -> steps.add(BlockStep.Run.of(Operations.copy(i)));
                case 1 -> steps.add(BlockStep.Run.SYNC);
                default ->
                    steps.add(new BlockStep.Run(
                            random.nextBoolean()
                                    ? new Operation.Signal(ChannelType.MEMORY, List.of(i), false)
                                    : new Operation.Wait(ChannelType.MEMORY, List.of(i), false),
                            random.nextBoolean(),
                            random.nextBoolean()));
            }
        }
        return steps;
    }

    private static List<List<String>> betweenSyncs(List<BlockStep> steps) {
        List<List<String>> parts = new ArrayList<>(List.of(new ArrayList<>()));
        for (int i = 0; i < steps.size(); i++) {
            Operation operation = ((BlockStep.Run) steps.get(i)).operation();
            switch (operation) {
                case Operation.Nop _ -> {
                    if (i > 0 && i < steps.size() - 1) {
                        parts.add(new ArrayList<>());
                    }
                }
                case Operation.Signal signal ->
                    signal.channelIds().forEach(id -> parts.getLast().add("signal" + id));
                case Operation.Wait wait ->
                    wait.channelIds().forEach(id -> parts.getLast().add("wait" + id));
                case Operation.Data data ->
                    parts.getLast()
                            .add("copy" + ((ChunkRef.Local) data.sources().getFirst()).index());
                default -> throw new IllegalStateException(operation.label());
            }
        }
        return parts;
    }
}
