package org.mscclj.conformance.rank.loss;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.mscclj.api.Communicator;
import org.mscclj.api.Window;
import org.mscclj.api.Work;
import org.mscclj.api.error.MsccljException;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.rank.message.MessageBuffer;
import org.mscclj.conformance.task.Opened;
import org.mscclj.spi.Feature;

/**
 * Checks the last rank, which closes its communicator while others wait for its sends or signals. The waiting calls
 * report the closed rank within the limit, and the communicator is not aborted.
 *
 * @param feature {@link Feature#POINT_TO_POINT} for sends, {@link Feature#WINDOWS} for signals
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
            context.communicator().barrier(); // all ranks have their resources
            if (context.rank() == last) {
                ClosedRank.closeWhileOthersCall(context, communicator);
            } else {
                Work work = window.map(opening -> opening.waitSignal(last))
                        .orElseGet(() -> communicator.receive(buffer.message(), last));
                String what = window.isPresent() ? "a signal" : "a message";
                CompletableFuture<Void> future = work.toCompletableFuture(); // the thread and the future wait at once
                ClosedRank.requireTold(context, what, last, work::join);
                ClosedRank.requireTold(context, future, last);
                ClosedRank.requireNotAborted(context, communicator);
                context.communicator().barrier(); // so that no other rank ends it earlier
                communicator.abort("the check is over"); // ends the launch that uses the buffer
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
            // expected: it was aborted
        }
    }
}
