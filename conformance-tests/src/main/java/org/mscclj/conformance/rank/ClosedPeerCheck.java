package org.mscclj.conformance.rank;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.mscclj.api.Communicator;
import org.mscclj.api.Window;
import org.mscclj.api.Work;
import org.mscclj.api.error.MsccljException;
import org.mscclj.conformance.task.Opened;
import org.mscclj.spi.Feature;

/**
 * The last rank closes its communicator: whoever waits for a message or a signal of it is told so at once, and the
 * communicator is not aborted.
 *
 * @param feature {@link Feature#POINT_TO_POINT} for messages, {@link Feature#WINDOWS} for signals
 */
record ClosedPeerCheck(Feature feature) implements RankCheck {
    private static final int BYTES = 64;

    @Override
    public void check(RankContext context) {
        int last = context.test().world() - 1;
        if (ClosedRank.isAlone(context)) {
            return;
        }
        try (Opened opened = new Opened()) {
            Communicator communicator = opened.add(context.second(), Communicator::close);
            MessageBuffer buffer = opened.add(new MessageBuffer(communicator, BYTES), MessageBuffer::close);
            Optional<Window> window = feature == Feature.WINDOWS
                    ? Optional.of(communicator.openWindow(buffer.message()))
                    : Optional.empty();
            context.communicator().barrier(); // all ranks have what they need
            if (context.rank() == last) {
                ClosedRank.closeWhileOthersCall(context, communicator);
            } else {
                Work work = window.map(opening -> opening.waitSignal(last))
                        .orElseGet(() -> communicator.receive(buffer.message(), last));
                String what = window.isPresent() ? "a signal" : "a message";
                CompletableFuture<Void> future = work.toCompletableFuture(); // both wait at the same time
                ClosedRank.requireTold(context, what, last, work::join);
                ClosedRank.requireTold(context, future, last);
                ClosedRank.requireNotAborted(context, communicator);
                context.communicator().barrier(); // so that nobody else ends it earlier
                communicator.abort("the check is over"); // which ends what uses the buffer
                awaitEnd(work);
                communicator.close();
            }
            context.communicator().barrier(); // a window's memory is free when all ranks have closed
        }
    }

    private static void awaitEnd(Work work) {
        try {
            work.join();
        } catch (MsccljException _) {
            // right: it was aborted
        }
    }
}
