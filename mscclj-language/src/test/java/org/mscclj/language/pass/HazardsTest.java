package org.mscclj.language.pass;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.Operation;

/**
 * After the passes, any two conflicting plain accesses of a block have a synchronisation between them, including
 * accesses in iterations of pipelines, which the test unrolls with the bytes of each. Failures name the seed.
 */
class HazardsTest {
    private static final int PROGRAMS = 5_000;

    /** Bytes of a chunk: a pipeline's units of 16 and 32 bytes split it into two parts, or none. */
    private static final int CHUNK = 32;

    private static final int UNIT = 16;

    @Test
    void conflictingAccessesAreSynchronised() {
        int inserted = 0;
        for (long seed = 0; seed < PROGRAMS; seed++) {
            RandomSteps random = new RandomSteps(seed);
            List<BlockStep> steps = random.steps(10, true);
            boolean fuse = seed % 2 == 0;
            List<BlockStep> synced = new Passes(fuse, FusionLimits.MSCCLPP, true, 1).compile(steps, random.ranges());
            List<BlockStep> plain = new Passes(fuse, FusionLimits.MSCCLPP, false, 1).compile(steps, random.ranges());
            inserted += count(synced) - count(plain);
            new Walk(new TestMemory(random.plan()), "seed " + seed + "\n" + synced).check(synced);
        }
        assertTrue(inserted > PROGRAMS, "only " + inserted + " meetings were inserted");
    }

    @Test
    void nothingIsInsertedWhereNothingConflicts() {
        RandomSteps random = new RandomSteps(0);
        List<BlockStep> steps = List.of(BlockStep.Run.of(Operations.copy(0)), BlockStep.Run.of(Operations.copy(1)));
        Passes passes = new Passes(true, FusionLimits.MSCCLPP, true, 1);
        assertEquals(
                random.plan().inPlace() ? 2 : steps.size(),
                passes.compile(steps, random.ranges()).size());
    }

    private static int count(List<BlockStep> steps) {
        return steps.stream()
                .mapToInt(step -> step instanceof BlockStep.Loop loop ? count(loop.steps()) : 1)
                .sum();
    }

    /** Walks along a block and keeps the accesses since the last synchronisation. */
    private static final class Walk {
        private final TestMemory memory;
        private final String where;
        private final Set<Long> read = new HashSet<>();
        private final Set<Long> written = new HashSet<>();

        Walk(TestMemory memory, String where) {
            this.memory = memory;
            this.where = where;
        }

        void check(List<BlockStep> steps) {
            for (BlockStep step : steps) {
                switch (step) {
                    case BlockStep.Run run -> check(run.operation(), 0, Integer.MAX_VALUE);
                    case BlockStep.Loop loop -> {
                        int iterations = Math.ceilDiv(loop.chunks() * CHUNK, (int) loop.unitSize());
                        for (int i = 0; i < iterations; i++) {
                            for (BlockStep inner : loop.steps()) {
                                check(((BlockStep.Run) inner).operation(), i * (int) loop.unitSize(), (int)
                                        loop.unitSize());
                            }
                        }
                    }
                }
            }
        }

        private void check(Operation operation, int from, int bytes) {
            switch (operation) {
                case Operation.Nop _ -> sync();
                case Operation.Barrier _ -> sync();
                case Operation.Data data -> check(data, from, bytes);
                default -> {}
            }
        }

        private void sync() {
            read.clear();
            written.clear();
        }

        private void check(Operation.Data data, int from, int bytes) {
            boolean whole = data.kind().packets();
            Set<Long> reads = new HashSet<>();
            Set<Long> writes = new HashSet<>();
            for (ChunkRef source : data.sources()) {
                if (!isPacket(data, source)) {
                    reads.addAll(bytes(data, source, whole ? 0 : from, whole ? Integer.MAX_VALUE : bytes));
                }
            }
            for (ChunkRef destination : data.destinations()) {
                if (!isPacket(data, destination)) {
                    writes.addAll(bytes(data, destination, whole ? 0 : from, whole ? Integer.MAX_VALUE : bytes));
                }
            }
            for (long one : writes) {
                if (read.contains(one) || written.contains(one)) {
                    fail("written too early: " + data + "\n" + where);
                }
            }
            for (long one : reads) {
                if (written.contains(one)) {
                    fail("read too early: " + data + "\n" + where);
                }
            }
            read.addAll(reads);
            written.addAll(writes);
        }

        private static boolean isPacket(Operation.Data data, ChunkRef reference) {
            return data.kind().packets()
                    && !(reference instanceof ChunkRef.Local local && local.buffer() != BufferType.SCRATCH);
        }

        /** Units of 16 bytes, of the rank's own memory and of its peer's. */
        private Set<Long> bytes(Operation.Data data, ChunkRef reference, int from, int length) {
            List<Integer> addresses = new ArrayList<>(memory.addresses(RandomSteps.RANK, reference));
            if (data.channelType().equals(Optional.of(ChannelType.SWITCH))) { // of both members, one after the other
                Set<Long> units = new HashSet<>();
                int half = addresses.size() / 2;
                units.addAll(units(data, addresses.subList(0, half), from, length));
                units.addAll(units(data, addresses.subList(half, addresses.size()), from, length));
                return units;
            }
            return units(data, addresses, from, length);
        }

        private static Set<Long> units(Operation.Data data, List<Integer> addresses, int from, int length) {
            int each = addresses.size() / data.share().groupSize();
            List<Integer> own = addresses.subList(
                    data.share().member() * each, (data.share().member() + 1) * each);
            Set<Long> units = new HashSet<>();
            for (int i = from / UNIT; i < Math.min(own.size(), ((long) from + length) / UNIT); i++) {
                units.add((long) own.get(i));
            }
            return units;
        }
    }
}
