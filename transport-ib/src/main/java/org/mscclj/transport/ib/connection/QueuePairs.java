package org.mscclj.transport.ib.connection;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mscclj.transport.ib.adapter.QueuePairOwner;
import org.mscclj.transport.ib.adapter.Rail;
import org.mscclj.transport.ib.connection.EndDescription.PairDescription;
import org.mscclj.transport.ib.connection.EndDescription.RailDescription;
import org.mscclj.transport.ib.ffm.CompletionQueue;
import org.mscclj.transport.ib.ffm.DeviceAttributes;
import org.mscclj.transport.ib.ffm.Path;
import org.mscclj.transport.ib.ffm.QueuePair;
import org.mscclj.transport.ib.port.Port;
import org.mscclj.transport.ib.settings.IbSettings;

/** The queue pairs of one end of a connection, on all rails, with their completion queues and the control block. */
final class QueuePairs implements AutoCloseable {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int PACKET_BITS = 24;
    private static final int INLINE_BYTES = 64;
    private static final int MAX_READS = 255;
    private static final long MAX_MESSAGE = 1L << 30;

    private final List<Rail> rails;
    private final IbSettings settings;
    private final boolean atomics;
    private final ControlBlock control;
    private final List<CompletionQueue> completions = new ArrayList<>();
    private final List<List<QueuePair>> pairs = new ArrayList<>();
    private final List<SendLane> lanes = new ArrayList<>();
    private final int[] packets;

    /** The completions of receives; null if signals are atomic operations. */
    private @Nullable CompletionQueue arrivals;

    private String peerName = "a peer";

    /**
     * Creates queue pairs that are bound to their ports.
     *
     * @param atomics whether signals are atomic operations
     */
    QueuePairs(List<Rail> rails, IbSettings settings, boolean atomics) {
        this.rails = List.copyOf(rails);
        this.settings = settings;
        this.atomics = atomics;
        this.control = new ControlBlock(rails);
        this.packets = RANDOM.ints(settings.queuePairs(), 0, 1 << PACKET_BITS).toArray();
        try {
            for (Rail rail : rails) {
                create(rail);
            }
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private void create(Rail rail) {
        DeviceAttributes limits = rail.shared().adapter().attributes();
        int capacity = capacity(limits);
        CompletionQueue sends = new CompletionQueue(
                rail.shared().adapter(), Math.min(limits.maxCompletions(), capacity * settings.queuePairs()), null);
        completions.add(sends);
        List<QueuePair> created = new ArrayList<>();
        pairs.add(created);
        for (int i = 0; i < settings.queuePairs(); i++) {
            boolean first = pairs.size() == 1 && i == 0;
            CompletionQueue receives = sends;
            if (first && !atomics) {
                receives = new CompletionQueue(
                        rail.shared().adapter(),
                        ControlBlock.RECEIVES,
                        rail.shared().channel());
                arrivals = receives;
            }
            QueuePair pair = new QueuePair(
                    rail.domain(),
                    sends,
                    receives,
                    capacity,
                    receives == sends ? 1 : ControlBlock.RECEIVES,
                    INLINE_BYTES);
            created.add(pair);
            pair.bind(rail.port().number(), rail.port().partitionIndex(), atomics);
        }
    }

    private static int capacity(DeviceAttributes limits) {
        return Math.min(SendLane.MAX_CAPACITY, limits.maxWorkRequests());
    }

    EndDescription describe() {
        List<RailDescription> described = new ArrayList<>();
        for (int i = 0; i < rails.size(); i++) {
            Port port = rails.get(i).port();
            described.add(new RailDescription(
                    port.gid(),
                    port.attributes().lid(),
                    port.attributes().mtu(),
                    Math.min(
                            MAX_READS,
                            rails.get(i).shared().adapter().attributes().maxReadsServed()),
                    control.remoteKey(i),
                    describe(pairs.get(i))));
        }
        return new EndDescription(control.address(), atomics, described);
    }

    private List<PairDescription> describe(List<QueuePair> of) {
        List<PairDescription> described = new ArrayList<>();
        for (int i = 0; i < of.size(); i++) {
            described.add(new PairDescription(of.get(i).number(), packets[i]));
        }
        return described;
    }

    /** Connects to the peer's queue pairs: as many as both sides have. */
    void connect(EndDescription peer) {
        peerName = peer.rails().getFirst().gid().toString();
        int both = Math.min(rails.size(), peer.rails().size());
        for (int i = 0; i < both; i++) {
            connect(i, peer.rails().get(i));
        }
    }

    private void connect(int index, RailDescription remote) {
        Rail rail = rails.get(index);
        Port port = rail.port();
        DeviceAttributes limits = rail.shared().adapter().attributes();
        boolean global = port.attributes().ethernet()
                || port.gid().subnet() != remote.gid().subnet();
        Path path = new Path(
                global,
                remote.gid(),
                port.gidIndex(),
                remote.lid(),
                Math.min(port.attributes().mtu(), remote.mtu()),
                settings.serviceLevel(),
                settings.trafficClass());
        int both = Math.min(pairs.get(index).size(), remote.pairs().size());
        for (int i = 0; i < both; i++) {
            QueuePair pair = pairs.get(index).get(i);
            pair.connect(
                    port.number(),
                    path,
                    remote.pairs().get(i).number(),
                    remote.pairs().get(i).packet(),
                    Math.min(MAX_READS, limits.maxReadsServed()));
            pair.start(
                    packets[i],
                    settings.timeout(),
                    settings.retries(),
                    Math.min(Math.min(MAX_READS, limits.maxReadsStarted()), remote.reads()));
            SendLane lane = new SendLane(pair, lanes.size(), index, capacity(limits), control);
            lane.peerKey(remote.key());
            lanes.add(lane);
        }
    }

    /** Lets an owner receive the events of all queue pairs. */
    void tell(QueuePairOwner owner) {
        for (int i = 0; i < rails.size(); i++) {
            Rail rail = rails.get(i);
            pairs.get(i)
                    .forEach(pair ->
                            rail.shared().add(pair.address(), rail.port().number(), owner));
        }
    }

    /** Returns the connected queue pairs, in an order that both sides share. */
    List<SendLane> lanes() {
        return lanes;
    }

    List<CompletionQueue> completions() {
        return completions;
    }

    ControlBlock control() {
        return control;
    }

    /** Returns the queue of signals that have arrived; null if signals are atomic operations. */
    @Nullable
    CompletionQueue arrivals() {
        return arrivals;
    }

    /** Returns the queue pair of signals. */
    QueuePair first() {
        return pairs.getFirst().getFirst();
    }

    /** Returns the most bytes of one request. */
    long largestMessage() {
        return rails.stream()
                .mapToLong(rail -> rail.port().attributes().maxMessage())
                .filter(most -> most > 0)
                .reduce(MAX_MESSAGE, Math::min);
    }

    /** Returns the address of the peer, for messages. */
    String peerName() {
        return peerName;
    }

    @Override
    public void close() {
        for (int i = 0; i < pairs.size(); i++) {
            Rail rail = rails.get(i);
            for (QueuePair pair : pairs.get(i)) {
                rail.shared().remove(pair.address());
                pair.close();
            }
        }
        lanes.forEach(SendLane::close);
        completions.forEach(CompletionQueue::close);
        if (arrivals != null) {
            arrivals.close();
        }
        control.close();
    }
}
