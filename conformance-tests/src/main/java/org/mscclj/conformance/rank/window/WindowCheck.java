package org.mscclj.conformance.rank.window;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.mscclj.api.Communicator;
import org.mscclj.api.Window;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;

/**
 * Checks puts and gets. Every rank puts bytes into a part of every rank's memory, signals it, and gets parts of other
 * ranks back; the parts differ in each round.
 */
final class WindowCheck implements RankCheck {
    private static final int PART = 70_003;
    private static final int GAP = 13;
    private static final int ROUNDS = 3;
    private static final byte UNTOUCHED = 0x5a;

    private static byte[] part(int from, int to, int round) {
        byte[] content = new byte[PART];
        new Random((from * 100L + to) * 100 + round).nextBytes(content);
        return content;
    }

    private static int offset(int from) {
        return GAP + from * (PART + GAP);
    }

    @Override
    public void check(RankContext context) {
        Communicator communicator = context.communicator();
        int world = context.test().world();
        byte[] expected = new byte[offset(world)];
        Arrays.fill(expected, UNTOUCHED);
        try (DeviceBuffer memory = communicator.device().allocate(expected.length);
                DeviceBuffer source = communicator.device().allocate((long) world * PART);
                DeviceBuffer target = communicator.device().allocate(PART)) {
            memory.copyFrom(MemorySegment.ofArray(expected));
            try (Window window = communicator.openWindow(memory)) {
                for (int round = 0; round < ROUNDS; round++) {
                    putAll(context, window, source, round);
                    for (int from = 0; from < world; from++) {
                        System.arraycopy(part(from, context.rank(), round), 0, expected, offset(from), PART);
                    }
                    byte[] found = new byte[expected.length];
                    memory.copyTo(MemorySegment.ofArray(found));
                    report(context, "round " + round + ": the window's memory", found, expected);
                    readBack(context, window, target, round);
                    tellAll(context, window); // the memory may be written again
                }
            }
        }
    }

    private static void putAll(RankContext context, Window window, DeviceBuffer source, int round) {
        int rank = context.rank();
        for (int to = 0; to < context.test().world(); to++) {
            DeviceBuffer part = source.slice((long) to * PART, PART);
            part.copyFrom(MemorySegment.ofArray(part(rank, to, round)));
            window.put(part, to, offset(rank));
        }
        tellAll(context, window);
    }

    private static void tellAll(RankContext context, Window window) {
        for (int step = 1; step < context.test().world(); step++) {
            window.signal((context.rank() + step) % context.test().world());
        }
        for (int step = 1; step < context.test().world(); step++) {
            context.join(
                    window.waitSignal((context.rank() + step) % context.test().world()));
        }
    }

    /** Compares what the next rank has received from the rank before this one. */
    private static void readBack(RankContext context, Window window, DeviceBuffer target, int round) {
        int world = context.test().world();
        int owner = (context.rank() + 1) % world;
        int writer = (context.rank() + world - 1) % world;
        context.join(window.get(owner, offset(writer), target));
        byte[] found = new byte[PART];
        target.copyTo(MemorySegment.ofArray(found));
        report(context, "round " + round + ": what was read of rank " + owner, found, part(writer, owner, round));
    }

    private static void report(RankContext context, String what, byte[] found, byte[] right) {
        int at = Arrays.mismatch(right, found);
        if (at >= 0) {
            context.report(FindingKind.WRONG, what + ": byte " + at + " is " + found[at] + ", right is " + right[at]);
        }
    }
}
