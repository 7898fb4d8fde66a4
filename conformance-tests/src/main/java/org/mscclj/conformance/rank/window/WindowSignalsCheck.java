package org.mscclj.conformance.rank.window;

import java.time.Duration;
import java.util.List;
import org.mscclj.api.Communicator;
import org.mscclj.api.Window;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;

/**
 * Checks signals. Rank 0 signals the last rank many times before it waits: exactly this number of waits end, and the
 * next one ends when rank 0 signals again.
 */
final class WindowSignalsCheck implements RankCheck {
    private static final Duration SHORT = Duration.ofMillis(150);
    private static final int SIGNALS = 20;
    private static final int BYTES = 64;

    @Override
    public void check(RankContext context) {
        Communicator communicator = context.communicator();
        int last = context.test().world() - 1;
        try (DeviceBuffer memory = communicator.device().allocate(BYTES);
                Window window = communicator.openWindow(memory);
                Window other = communicator.openWindow(memory)) {
            if (context.rank() == 0) {
                for (int i = 0; i < SIGNALS; i++) {
                    context.join(window.signal(last));
                }
                context.join(other.signal(last));
                communicator.barrier();
                communicator.barrier();
                context.join(window.signal(last));
            } else {
                communicator.barrier();
                if (context.rank() == last) {
                    for (int i = 0; i < SIGNALS; i++) {
                        context.join(window.waitSignal(0));
                    }
                    Work wait = window.waitSignal(0);
                    waitInVain(context, wait);
                    communicator.barrier();
                    context.join(wait);
                    context.join(other.waitSignal(0));
                } else {
                    communicator.barrier();
                }
            }
        }
    }

    private static void waitInVain(RankContext context, Work wait) {
        try {
            wait.join(SHORT);
            context.report(FindingKind.BEHAVIOUR, "after " + SIGNALS + " signals, one more wait than that ended");
        } catch (OperationTimeoutException e) {
            if (!e.missingRanks().equals(List.of(0))) {
                context.report(
                        FindingKind.BEHAVIOUR,
                        "rank 0 alone did not signal, but the timeout names ranks " + e.missingRanks() + ": "
                                + e.getMessage());
            }
        }
    }
}
