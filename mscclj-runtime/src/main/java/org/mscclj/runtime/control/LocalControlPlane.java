package org.mscclj.runtime.control;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.mscclj.spi.engine.AbortFlag;

/** Ranks that are threads of this process: each delivers into the inboxes of the others. */
public final class LocalControlPlane {
    private final List<ControlInbox> inboxes;
    private final Duration timeout;
    private final AbortFlag abort;

    /** A plane of the given number of ranks. */
    public LocalControlPlane(int size, Duration timeout, AbortFlag abort) {
        this.inboxes = Stream.generate(ControlInbox::new).limit(size).toList();
        this.timeout = timeout;
        this.abort = abort;
    }

    /** A rank's view. */
    public ControlPlane ofRank(int rank) {
        return new InboxControlPlane(
                rank, inboxes.size(), timeout, abort, inboxes.get(rank), new DeliveryFrom(rank, inboxes));
    }

    private record DeliveryFrom(int rank, List<ControlInbox> inboxes) implements Delivery {
        @Override
        public void contribute(int to, long number, String call, byte[] bytes) {
            inboxes.get(to).contribute(number, rank, call, bytes);
        }

        @Override
        public void withdraw(int to, long number) {
            inboxes.get(to).withdraw(number, rank);
        }

        @Override
        public void send(int to, String what, byte[] message) {
            inboxes.get(to).send(rank, what, message);
        }
    }
}
