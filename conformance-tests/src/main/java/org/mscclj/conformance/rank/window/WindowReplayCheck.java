package org.mscclj.conformance.rank.window;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Window;
import org.mscclj.api.WindowCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;

/**
 * Checks a graph that puts into the next rank's memory, signals it, and waits for the signal of the previous rank. The
 * ranks replay it many times, each time with other bytes.
 */
final class WindowReplayCheck implements RankCheck {
    private static final int BYTES = 4097;
    private static final int ROUNDS = 6;

    private static byte[] content(int from, int round) {
        byte[] content = new byte[BYTES];
        Arrays.fill(content, (byte) (1 + from * ROUNDS + round));
        return content;
    }

    @Override
    public void check(RankContext context) {
        Communicator communicator = context.communicator();
        int world = context.test().world();
        int next = (context.rank() + 1) % world;
        int previous = (context.rank() + world - 1) % world;
        try (DeviceBuffer memory = communicator.device().allocate(BYTES);
                DeviceBuffer source = communicator.device().allocate(BYTES);
                Stream stream = communicator.device().createStream();
                Window window = communicator.openWindow(memory);
                PreparedOperation put = window.prepare(WindowCall.put(source, next, 0));
                PreparedOperation tell = window.prepare(WindowCall.signal(next));
                PreparedOperation wait = window.prepare(WindowCall.waitSignal(previous));
                Graph graph = stream.capture(() -> {
                    put.launch(stream);
                    tell.launch(stream);
                    wait.launch(stream);
                })) {
            for (int round = 0; round < ROUNDS; round++) {
                communicator.barrier(); // no rank reads the last round's bytes any more
                source.copyFrom(MemorySegment.ofArray(content(context.rank(), round)));
                graph.launch(stream);
                context.synchronize(stream);
                byte[] found = new byte[BYTES];
                memory.copyTo(MemorySegment.ofArray(found));
                int at = Arrays.mismatch(content(previous, round), found);
                if (at >= 0) {
                    context.report(
                            FindingKind.WRONG,
                            "replay " + (round + 1) + " ended before what rank " + previous
                                    + " has put was there: byte " + at + " is " + found[at]);
                }
            }
        }
    }
}
