package org.mscclj.conformance.rank.window;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Window;
import org.mscclj.api.WindowCall;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;

/**
 * Checks how windows are closed. Closing succeeds while signals are in flight. It waits for gets of ranks whose peers
 * close at once, so that these ranks have all the data. It is refused on all ranks while rank 0 uses memory that it has
 * mapped.
 */
final class WindowClosingCheck implements RankCheck {
    private static final int WINDOWS = 12;
    private static final int SIGNALS = 300;
    private static final int BYTES = 64;
    private static final int GOTTEN = 300_001;

    @Override
    public void check(RankContext context) {
        try (DeviceBuffer memory = context.communicator().device().allocate(BYTES)) {
            for (int window = 0; window < WINDOWS; window++) {
                closeBehindSignals(context, memory);
            }
            closeBehindAccesses(context);
            if (!context.test().mode().isOfNodes()) {
                closeInUse(context, memory);
            }
            context.communicator().barrier(); // works, unless closing has broken the communicator
        }
    }

    private static void closeBehindSignals(RankContext context, DeviceBuffer memory) {
        Communicator communicator = context.communicator();
        int next = (context.rank() + 1) % communicator.size();
        Window window = communicator.openWindow(memory);
        if (next != context.rank()) {
            PreparedOperation signal = window.prepare(WindowCall.signal(next));
            for (int i = 0; i < SIGNALS; i++) {
                signal.launch();
            }
        }
        window.close();
    }

    private static void closeBehindAccesses(RankContext context) {
        Communicator communicator = context.communicator();
        int next = (context.rank() + 1) % communicator.size();
        byte[] right = new byte[GOTTEN];
        try (DeviceBuffer memory = communicator.device().allocate(GOTTEN);
                DeviceBuffer target = communicator.device().allocate(GOTTEN)) {
            Arrays.fill(right, (byte) (context.rank() + 1));
            memory.copyFrom(MemorySegment.ofArray(right));
            Window window = communicator.openWindow(memory);
            if (context.rank() % 2 == 0) {
                Work _ = window.get(next, 0, target); // closing waits for it; the others close at once
            }
            window.close();
            if (context.rank() % 2 == 0) {
                byte[] found = new byte[GOTTEN];
                target.copyTo(MemorySegment.ofArray(found));
                Arrays.fill(right, (byte) (next + 1));
                int at = Arrays.mismatch(right, found);
                if (at >= 0) {
                    context.report(
                            FindingKind.BEHAVIOUR,
                            "a window was closed before a get of rank " + next + " had ended: byte " + at + " is "
                                    + found[at]);
                }
            }
        }
    }

    private static void closeInUse(RankContext context, DeviceBuffer memory) {
        int last = context.test().world() - 1;
        if (last == 0) {
            return;
        }
        Window window = context.communicator().openWindow(memory);
        Optional<DeviceBuffer.Hold> hold = context.rank() == 0
                ? Optional.of(window.mapRemote(last).slice(0, 1).hold())
                : Optional.empty();
        try {
            window.close();
            context.report(
                    FindingKind.BEHAVIOUR,
                    "a window was closed although rank 0 uses the memory of rank " + last + ", as it maps it");
        } catch (InvalidArgumentException e) {
            String message = String.valueOf(e.getMessage());
            if (!List.of("rank 0", "[" + last + "]", "in use").stream().allMatch(message::contains)) {
                context.report(
                        FindingKind.BEHAVIOUR,
                        "closing a window was refused without the ranks that use its memory: " + message);
            }
        }
        hold.ifPresent(DeviceBuffer.Hold::close);
        window.close();
    }
}
