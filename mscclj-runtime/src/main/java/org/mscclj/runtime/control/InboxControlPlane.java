package org.mscclj.runtime.control;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.runtime.agreement.Stands;
import org.mscclj.runtime.time.RunningDeadline;
import org.mscclj.spi.engine.AbortFlag;

/** A control plane over inboxes. Every rank sends to all others directly, over any delivery. */
public final class InboxControlPlane implements ControlPlane {
    private final ControlInbox.Waiter waiter;
    private final ControlInbox inbox;
    private final Delivery delivery;
    private final PeerEnds ends;
    private volatile Nodes nodes;
    private long number;

    /** The purpose of the collective calls of the thread that makes them; empty if the topics are enough. */
    private String purpose = "";

    /** The limits of that thread's waits in these calls. */
    private ControlInbox.Waiter limits;

    /**
     * Creates the plane of a rank.
     *
     * @param nodes the nodes of the ranks
     * @param inbox the inbox into which other ranks deliver
     * @param delivery the delivery from this rank to all ranks, itself included
     */
    public InboxControlPlane(
            int rank, Nodes nodes, Duration timeout, AbortFlag abort, ControlInbox inbox, Delivery delivery) {
        this.waiter = new ControlInbox.Waiter(rank, nodes.ofRanks().size(), timeout, abort);
        this.limits = waiter;
        this.nodes = nodes;
        this.inbox = inbox;
        this.delivery = delivery;
        this.ends = new PeerEnds(this, inbox, abort);
        abort.whenSet(inbox::wake);
        inbox.stands().connect(rank, waiter.size(), delivery);
    }

    @Override
    public int rank() {
        return waiter.rank();
    }

    @Override
    public int size() {
        return waiter.size();
    }

    @Override
    public Nodes nodes() {
        return nodes;
    }

    /** Sets the nodes of the ranks, once ranks have exchanged them. Called before any set-up that depends on them. */
    public void locate(Nodes found) {
        nodes = found;
    }

    @Override
    public List<Message> allGather(Topic topic, byte[] own) {
        return allGather(topic, own, limits);
    }

    @Override
    public void barrier(Topic topic, Duration limit) {
        allGather(topic, new byte[0], waiter.within(limit));
    }

    @Override
    public CallScope during(String words, Optional<Duration> limit) {
        return during(words, limit.map(waiter::within).orElse(waiter));
    }

    @Override
    public CallScope within(RunningDeadline deadline) {
        return during("", waiter.within(deadline));
    }

    private CallScope during(String words, ControlInbox.Waiter limited) {
        String outerPurpose = purpose;
        ControlInbox.Waiter outerLimits = limits;
        purpose = words;
        limits = limited;
        return () -> {
            purpose = outerPurpose;
            limits = outerLimits;
        };
    }

    @Override
    public Duration timeLeft() {
        return limits.left();
    }

    @Override
    public CallScope waitFor(String what, List<Integer> peers) {
        return inbox.waitFor(what, peers);
    }

    private List<Message> allGather(Topic topic, byte[] own, ControlInbox.Waiter limited) {
        Message message = new Message(own.clone());
        for (int peer = 0; peer < waiter.size(); peer++) {
            delivery.contribute(peer, number, topic, message);
        }
        Contributions round;
        try {
            round = inbox.awaitRound(
                    number, purpose.isEmpty() ? topic.toString() : topic + " (" + purpose + ")", limited);
        } catch (MsccljException e) { // so that this rank may call again
            for (int peer = 0; peer < waiter.size(); peer++) {
                delivery.withdraw(peer, number);
            }
            throw explained(topic.toString(), e, limited);
        }
        number++;
        return round.gathered();
    }

    /**
     * Adds to a timeout what the missing ranks do, and which ranks are to blame: not a rank that itself waits, but the
     * ranks at the end of the chain of waits. Waits for the answers at most as long as this rank waited for the other
     * ranks, and at most a second.
     */
    private MsccljException explained(String what, MsccljException e, ControlInbox.Waiter limited) {
        if (!(e instanceof OperationTimeoutException late) || waiter.abort().isSet()) {
            return e; // the rank that has ended the communicator has reported what it knows
        }
        if (Thread.currentThread().isInterrupted()) {
            return e; // this thread does not wait for answers
        }
        Duration limit = limited.timeout().compareTo(MAX_ANSWER) < 0 ? limited.timeout() : MAX_ANSWER;
        long own = inbox.launchCounts().own(0).launches();
        List<Integer> others = IntStream.range(0, waiter.size())
                .filter(rank -> rank != waiter.rank())
                .boxed()
                .toList();
        Map<Integer, LaunchReport> reports = reportsOf(others, Math.max(1, own), limit);
        if (waiter.abort().isSet()) { // another rank has given up at the same time: all name the same ranks
            return waiter.abort().exception(what);
        }
        List<Integer> blamed = new Waits(others, reports).keepWaiting(late.missingRanks());
        TreeSet<Integer> told = new TreeSet<>(late.missingRanks());
        told.addAll(blamed);
        String doing = told.stream()
                .map(rank -> "rank " + rank + ": "
                        + Optional.ofNullable(reports.get(rank))
                                .map(LaunchReport::doing)
                                .orElse("no answer within " + DurationText.of(limit)))
                .collect(Collectors.joining("; "));
        String end = blamed.equals(late.missingRanks())
                ? ""
                : "; ranks " + blamed + " keep the others waiting, as far as is known";
        return new OperationTimeoutException(late.getMessage() + "; " + doing + end, blamed);
    }

    @Override
    public Stands stands() {
        return inbox.stands();
    }

    @Override
    public Optional<OpenCall> openCall() {
        return inbox.openCall();
    }

    @Override
    public long nextCall() {
        return number;
    }

    @Override
    public boolean hasCome(int peer, long call) {
        return inbox.hasCome(peer, call);
    }

    @Override
    public void send(int peer, Topic topic, byte[] message) {
        if (waiter.abort().isSet()) {
            throw waiter.abort().exception(topic.toString());
        }
        delivery.send(peer, topic, message.clone());
    }

    @Override
    public byte[] receive(int peer, Topic topic) {
        try {
            return inbox.awaitMessage(peer, topic, waiter);
        } catch (OperationTimeoutException e) {
            throw explained(topic.toString(), e, waiter);
        }
    }

    @Override
    public void reportLaunches(LaunchReporter reporter) {
        inbox.launchCounts().reportBy(reporter);
    }

    @Override
    public int closedBefore(long launch) {
        return inbox.closedBefore(launch);
    }

    @Override
    public boolean hasClosed(int peer) {
        return inbox.hasDeparted(peer);
    }

    @Override
    public AbortFlag endOf(int peer) {
        return ends.of(peer);
    }

    @Override
    public Map<Integer, LaunchReport> reportsOf(List<Integer> peers, long sequence, Duration limit) {
        Map<Integer, LaunchReport> closed = new TreeMap<>();
        peers.forEach(peer -> inbox.launchesOfDeparted(peer)
                .ifPresent(launches -> closed.put(peer, LaunchReport.ofClosed(launches))));
        List<Integer> asked =
                peers.stream().filter(peer -> !closed.containsKey(peer)).toList();
        Map<Integer, LaunchReport> reports = new TreeMap<>(closed);
        reports.putAll(asked.isEmpty() ? Map.of() : ask(asked, sequence, limit, () -> false));
        return Map.copyOf(reports);
    }

    @Override
    public Optional<MsccljException> ended(String what, Duration limit) {
        AbortFlag abort = waiter.abort();
        List<Integer> peers = IntStream.range(0, waiter.size())
                .filter(rank -> rank != waiter.rank() && !inbox.hasDeparted(rank))
                .boxed()
                .toList();
        ask(peers, 0, limit, abort::isSet);
        return abort.isSet() ? Optional.of(abort.exception(what)) : Optional.empty();
    }

    private Map<Integer, LaunchReport> ask(List<Integer> peers, long sequence, Duration limit, BooleanSupplier over) {
        long question = inbox.launchCounts().open();
        peers.forEach(peer -> delivery.askLaunches(peer, question, sequence));
        return inbox.launchCounts().await(question, peers.size(), limit, over);
    }
}
