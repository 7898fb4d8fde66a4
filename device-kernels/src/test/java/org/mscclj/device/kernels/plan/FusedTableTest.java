package org.mscclj.device.kernels.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.mscclj.api.type.Collective;
import org.mscclj.language.AlgoSpec;
import org.mscclj.language.Buffer;
import org.mscclj.language.CollectiveProgram;
import org.mscclj.language.ProgramCollective;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.fusion.Move;
import org.mscclj.plan.fusion.OperandRange;
import org.mscclj.plan.layout.RoundLayout;

/** A fused launch moves the same bytes as the general one. */
class FusedTableTest {
    private static final int PLANS = 150;
    private static final List<Collective> COLLECTIVES =
            List.of(Collective.ALLREDUCE, Collective.REDUCESCATTER, Collective.ALLGATHER, Collective.ALLTOALL);

    /** The addresses of each byte of a move by its runs, by position; 0 for padding. */
    private static TreeMap<Long, long[]> byRuns(Move move, RoundLayout layout, int alignment, RankAddresses addresses) {
        TreeMap<Long, long[]> bytes = new TreeMap<>();
        for (long[] run : RunList.of(move, layout, alignment, addresses::of)) {
            long length = run[1] & ((1L << 56) - 1);
            boolean partial = run[1] >>> 56 != 0;
            for (long at = 0; at < length; at++) {
                long[] ofByte = new long[run.length - 2];
                for (int i = 0; i < ofByte.length; i++) {
                    long real = !partial || move.isPackets(i)
                            ? length
                            : move.isDestination(i) ? run[1] >>> 60 : run[1] >>> 56 & 15;
                    ofByte[i] = run[2 + i] == 0 || at >= real ? 0 : run[2 + i] + (move.isPackets(i) ? 2 : 1) * at;
                }
                bytes.put(run[0] + at, ofByte);
            }
        }
        return bytes;
    }

    /** The address of a byte of an operand by the record of its block; 0 for padding. */
    private static long byRecord(FusedBlock block, long[] words, int start, OperandRange range, long position) {
        int plain = block.plain().indexOf(range);
        if (plain < 0) {
            int word = start
                    + FusedBlock.OWN_WORDS
                    + FusedBlock.PLAIN_WORDS * block.plain().size();
            return words[word + block.packets().indexOf(range)] + 2 * position;
        }
        int word = start + FusedBlock.OWN_WORDS + FusedBlock.PLAIN_WORDS * plain;
        return position < words[word + 1] >>> Integer.SIZE ? words[word] + position : 0;
    }

    private static void check(FusedLaunch launch, long round, String what) {
        RoundLayout layout = launch.launch().geometry().round(round);
        FusedTable table = launch.table(round).orElseThrow(() -> new AssertionError(what + " is not fused"));
        RankAddresses addresses = new RankAddresses(launch.context(), launch.launch());
        int alignment = launch.context().plan().bufferAlignment();
        int rank = launch.context().rank();
        List<FusedBlock> blocks = launch.fused().blocks(rank);
        long most = 0;
        for (int b = 0; b < blocks.size(); b++) {
            FusedBlock block = blocks.get(b);
            int start = b * launch.fused().recordWords();
            long units = table.words()[start] & 0xffff_ffff_ffffL;
            most = Math.max(most, units);
            assertEquals(
                    block.body(),
                    launch.fused().bodies().get((int) (table.words()[start] >>> 48)),
                    what + ": shape of block " + b);
            assertEquals(addresses.halfBytes(rank), table.words()[start + 1], what + ": halves of scratch");
            int place = start + block.words() - block.places().size();
            for (KernelStep step : launch.code().steps(rank).get(b)) {
                if (step instanceof KernelStep.Data data) {
                    if (data.move().plainPlace().isPresent()) {
                        assertEquals(data.move().plainPlace().getAsInt(), table.words()[place++], what + ": place");
                    }
                    check(
                            data.move(),
                            byRuns(data.move(), layout, alignment, addresses),
                            units,
                            block,
                            table,
                            start,
                            what);
                }
            }
            assertEquals(start + block.words(), place, what + ": places");
        }
        assertEquals(most, table.mostUnits(), what);
    }

    private static void check(
            Move move,
            TreeMap<Long, long[]> runs,
            long units,
            FusedBlock block,
            FusedTable table,
            int start,
            String what) {
        List<OperandRange> operands = move.operands();
        for (long position = 0; position < 8 * units; position++) {
            long[] expected = runs.remove(position);
            for (int i = 0; i < operands.size(); i++) {
                long address = byRecord(block, table.words(), start, operands.get(i), position);
                String where = what + ": byte " + position + " of " + operands.get(i);
                if (expected != null) {
                    assertEquals(expected[i], address, where);
                } else { // nothing is moved there
                    assertTrue(!move.isDestination(i) || address == 0, where);
                }
            }
        }
        assertTrue(runs.isEmpty(), () -> what + ": the record ends before bytes " + runs.keySet());
    }

    @Test
    void everyByteHasTheAddressOfTheRuns() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < PLANS; i++) {
            boolean twoShot = random.nextInt(4) == 0;
            int ranks = 2 + random.nextInt(twoShot ? 5 : 7);
            Collective collective =
                    twoShot ? Collective.ALLREDUCE : COLLECTIVES.get(random.nextInt(COLLECTIVES.size()));
            ProgramSpec spec = ProgramSpec.of(collective, ranks)
                    .blocks(1 + random.nextInt(8))
                    .inPlace(random.nextBoolean());
            Plan plan = (twoShot ? ShippedProgram.PACKETS_TWO_SHOT : ShippedProgram.PACKETS).plan(spec);
            int element = 1 << random.nextInt(4);
            long sliceBytes = (long) element * (1 + random.nextInt(700 / element));
            long slotBytes = 16L * (1 + random.nextInt(30));
            long misalignment = (long) element * random.nextInt(3);
            FusedLaunch launch = FusedLaunch.of(plan, random.nextInt(ranks), sliceBytes, slotBytes, misalignment);
            String what = "seed " + seed + ", plan " + i + ", " + plan.label() + ", " + sliceBytes + " bytes, slots of "
                    + slotBytes + ", round ";
            for (long round = 0; round < launch.launch().geometry().rounds(); round++) {
                check(launch, round, what + round);
            }
        }
    }

    private static Plan allReduce() {
        return ShippedProgram.PACKETS.plan(ProgramSpec.of(Collective.ALLREDUCE, 2));
    }

    /** The words of the lengths of all plain operands of a rank with one block. */
    private static List<Long> lengths(FusedLaunch launch) {
        long[] words = launch.table(0).orElseThrow().words();
        int plain = launch.fused().blocks(0).getFirst().plain().size();
        return IntStream.range(0, plain)
                .mapToObj(i -> words[FusedBlock.OWN_WORDS + FusedBlock.PLAIN_WORDS * i + 1])
                .toList();
    }

    @Test
    void alignedDataIsMovedEightBytesAtATime() {
        assertEquals(List.of(61L << 32 | 56, 61L << 32 | 56), lengths(FusedLaunch.of(allReduce(), 0, 61, 1024, 0)));
    }

    @Test
    void misalignedDataIsMovedByElements() {
        assertEquals(List.of(64L << 32, 64L << 32), lengths(FusedLaunch.of(allReduce(), 0, 64, 1024, 4)));
    }

    @Test
    void moreThanTwoGibibytesOfABlockAreNotFused() {
        long most = Integer.MAX_VALUE / 16 * 16L;
        assertTrue(FusedLaunch.of(allReduce(), 0, most, most, 0).table(0).isPresent());
        assertFalse(
                FusedLaunch.of(allReduce(), 0, most + 16, most + 16, 0).table(0).isPresent());
    }

    /** A range of two slices, with padding or the other part of a round between them. */
    @Test
    void slicesThatAreNotContiguousAreNotFused() {
        AlgoSpec spec = AlgoSpec.builder("slices", ProgramCollective.allToAll(2, 1, false))
                .protocol(Protocol.LL)
                .doubleScratch(true)
                .build();
        Plan plan = CollectiveProgram.define(spec, program -> {
                    List<Buffer> scratch = List.of(program.scratch(0, 2), program.scratch(1, 2));
                    for (int rank = 0; rank < 2; rank++) {
                        program.memoryChannel(1 - rank, rank)
                                .putPackets(
                                        scratch.get(1 - rank).slice(0, 2),
                                        program.rank(rank).input().slice(0, 2),
                                        0);
                        program.rank(rank)
                                .unpackPackets(
                                        program.rank(rank).output().slice(0, 2),
                                        scratch.get(rank).slice(0, 2),
                                        0);
                    }
                })
                .compile();
        assertTrue(FusedLaunch.of(plan, 0, 64, 64, 0).table(0).isPresent(), "full slots and slices");
        assertFalse(FusedLaunch.of(plan, 0, 60, 64, 0).table(0).isPresent(), "padding between slices");
        assertFalse(FusedLaunch.of(plan, 0, 48, 64, 0).table(0).isPresent(), "slots with a rest");
        assertFalse(FusedLaunch.of(plan, 0, 128, 64, 0).table(1).isPresent(), "two rounds of each slice");
    }
}
