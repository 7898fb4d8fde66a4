package org.mscclj.device.kernels.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.mscclj.plan.BlockShare;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.fusion.Move;
import org.mscclj.plan.fusion.OperandRange;
import org.mscclj.plan.layout.RoundLayout;
import org.mscclj.plan.layout.RoundLayout.Piece;
import org.mscclj.plan.layout.RoundLayout.Range;

/** Runs give the same address for every byte as the layout. */
class RunListTest {
    private static final int ALIGNMENT = 16;
    private static final int ROUNDS = 3000;

    /** Far apart, and not 0. */
    private static long start(OperandRange range) {
        return (1L + range.rank() * 3L + range.buffer().ordinal()) << 40;
    }

    /** The addresses of a byte of a move's range in every operand; 0 for padding. */
    private static long[] expected(Move move, RoundLayout layout, long position) {
        List<OperandRange> operands = move.operands();
        long[] bytes = new long[operands.size()];
        for (int i = 0; i < bytes.length; i++) {
            OperandRange range = operands.get(i);
            Range chunks = layout.chunks(range.index(), range.size());
            Range part = RoundLayout.share(chunks.length(), move.share(), ALIGNMENT);
            Range one = new Range(chunks.start() + part.start() + position, 1);
            boolean scratch = range.buffer() == BufferType.SCRATCH;
            Piece piece = (scratch ? layout.scratchPieces(one) : layout.bufferPieces(one)).getFirst();
            long offset = piece.real() - (scratch ? 0 : layout.offset());
            bytes[i] = piece.isPadding() ? 0 : start(range) + (move.isPackets(i) ? 2 : 1) * offset;
        }
        return bytes;
    }

    /** The addresses according to the runs, by position. */
    private static TreeMap<Long, long[]> said(Move move, RoundLayout layout) {
        TreeMap<Long, long[]> said = new TreeMap<>();
        for (long[] run : RunList.of(move, layout, ALIGNMENT, RunListTest::start)) {
            long length = run[1] & ((1L << 56) - 1);
            boolean partial = run[1] >>> 56 != 0;
            long sourceBytes = partial ? run[1] >>> 56 & 15 : length;
            long destinationBytes = partial ? run[1] >>> 60 : length;
            assertTrue(!partial || length == 8, "only a unit is partial");
            for (long at = 0; at < length; at++) {
                long[] bytes = new long[run.length - 2];
                for (int i = 0; i < bytes.length; i++) {
                    long real = move.isPackets(i) ? length : move.isDestination(i) ? destinationBytes : sourceBytes;
                    boolean isReal = run[2 + i] != 0 && at < real;
                    bytes[i] = isReal ? run[2 + i] + (move.isPackets(i) ? 2 : 1) * at : 0;
                }
                assertEquals(null, said.put(run[0] + at, bytes), "said twice");
            }
        }
        return said;
    }

    private static void check(Move move, RoundLayout layout, String what) {
        OperandRange first = move.operands().getFirst();
        Range chunks = layout.chunks(first.index(), first.size());
        long length =
                RoundLayout.share(chunks.length(), move.share(), ALIGNMENT).length();
        TreeMap<Long, long[]> said = said(move, layout);
        for (long position = 0; position < length; position++) {
            long[] expected = expected(move, layout, position);
            boolean stores = false;
            for (int i = 0; i < expected.length; i++) {
                stores |= move.isDestination(i) && expected[i] != 0;
            }
            long[] bytes = said.remove(position);
            assertTrue(!stores || bytes != null, what + ": nothing is said of byte " + position);
            for (int i = 0; bytes != null && i < bytes.length; i++) {
                assertEquals(expected[i], bytes[i], what + ": byte " + position + ", operand " + i);
            }
        }
        assertTrue(said.isEmpty(), what + ": bytes past the end: " + said.keySet());
    }

    private static RoundLayout layout(Random random) {
        int chunks = 1 + random.nextInt(4);
        int element = 1 << random.nextInt(4);
        long bytes = (long) element * random.nextInt(160 / element);
        long unit = (long) chunks * ALIGNMENT;
        long chunkBytes = bytes == 0 ? 0 : ((bytes - 1) / unit + 1) * ALIGNMENT;
        long offset = (long) element * random.nextInt(20);
        return new RoundLayout(
                offset + bytes + (long) element * random.nextInt(20),
                offset,
                bytes,
                chunks,
                chunkBytes,
                chunkBytes + ALIGNMENT * random.nextInt(3));
    }

    private static List<OperandRange> ranges(Random random, int count, int size, boolean scratch) {
        List<OperandRange> ranges = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            BufferType buffer =
                    scratch ? BufferType.SCRATCH : random.nextBoolean() ? BufferType.INPUT : BufferType.OUTPUT;
            ranges.add(new OperandRange(random.nextInt(4), buffer, random.nextInt(6), size));
        }
        return ranges;
    }

    @Test
    void everyByteHasTheAddressOfTheLayout() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            RoundLayout layout = layout(random);
            int size = 1 + random.nextInt(5);
            int group = 1 + random.nextInt(3);
            BlockShare share = new BlockShare(random.nextInt(group), group);
            Move plain = Move.plain(
                    ranges(random, 1 + random.nextInt(3), size, random.nextInt(3) == 0),
                    ranges(random, 1 + random.nextInt(3), size, random.nextInt(3) == 0),
                    share);
            check(plain, layout, "seed " + seed + ", round " + round + ", plain");
            Move packets = new Move(
                    ranges(random, random.nextInt(2), size, false),
                    ranges(random, 1 + random.nextInt(3), size, true),
                    ranges(random, random.nextInt(2), size, false),
                    ranges(random, 1 + random.nextInt(2), size, true),
                    share);
            check(packets, layout, "seed " + seed + ", round " + round + ", packets");
        }
    }
}
