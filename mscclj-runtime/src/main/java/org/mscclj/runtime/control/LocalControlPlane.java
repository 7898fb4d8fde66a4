package org.mscclj.runtime.control;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.mscclj.runtime.agreement.Stand;
import org.mscclj.spi.engine.AbortFlag;

/** The control plane of ranks that are threads of this process. Each rank delivers into the inboxes of the others. */
public final class LocalControlPlane {
    private final Nodes nodes;
    private final List<ControlInbox> inboxes;
    private final Duration timeout;
    private final AbortFlag abort;

    /** Creates a plane with as many ranks as the nodes have. */
    public LocalControlPlane(Nodes nodes, Duration timeout, AbortFlag abort) {
        this.nodes = nodes;
        this.inboxes =
                Stream.generate(ControlInbox::new).limit(nodes.ofRanks().size()).toList();
        this.timeout = timeout;
        this.abort = abort;
    }

    /** Returns the plane of a rank. */
    public ControlPlane ofRank(int rank) {
        return new InboxControlPlane(rank, nodes, timeout, abort, inboxes.get(rank), new DeliveryFrom(rank, inboxes));
    }

    /** Marks a rank as departed, because it has closed its communicator: the others no longer wait for it. */
    public void depart(int rank) {
        long launches = inboxes.get(rank).launchCounts().own(0).launches();
        for (int other = 0; other < inboxes.size(); other++) {
            if (other != rank) {
                inboxes.get(other).depart(rank, launches);
            }
        }
    }

    private record DeliveryFrom(int rank, List<ControlInbox> inboxes) implements Delivery {
        @Override
        public void contribute(int to, long number, Topic topic, Message message) {
            inboxes.get(to).contribute(number, rank, topic, message);
        }

        @Override
        public void withdraw(int to, long number) {
            inboxes.get(to).withdraw(number, rank);
        }

        @Override
        public void send(int to, Topic topic, byte[] message) {
            inboxes.get(to).send(rank, topic, message);
        }

        @Override
        public void askLaunches(int to, long question, long sequence) {
            inboxes.get(rank)
                    .launchCounts()
                    .answered(question, to, inboxes.get(to).launchCounts().own(sequence));
        }

        @Override
        public void tell(int to, Stand stand, long question, long answer) {
            inboxes.get(to).stands().heard(rank, stand, question, answer);
        }
    }
}
