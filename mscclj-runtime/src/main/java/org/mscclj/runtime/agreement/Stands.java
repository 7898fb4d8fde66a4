package org.mscclj.runtime.agreement;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The states of all ranks of one communicator in their calls of shrink, as one rank has received them. A rank answers
 * questions at any time, whether or not it calls shrink itself. Only the thread that makes the call changes the state
 * of its own rank. It changes that state under the monitor of this object, together with the conclusions that it draws
 * from the states of the other ranks. An answer is therefore either sent before such a change, or contains it.
 */
public final class Stands {
    private final Map<Integer, Stand> others = new HashMap<>();
    private final TreeMap<Integer, String> lost = new TreeMap<>();
    private final TreeSet<Integer> closed = new TreeSet<>();

    /** For each rank, the last question of this rank that it has answered. */
    private final Map<Integer, Long> answers = new HashMap<>();

    private Stand own = Stand.NONE;
    private boolean untold;
    private long question;
    private long changes;

    /**
     * A remaining rank, by this rank's list, whose call was refused while this rank was in its call. This rank's call
     * is then refused, too.
     */
    private Optional<Integer> refused = Optional.empty();

    private int rank;
    private int size;
    private @Nullable Messenger messenger;
    private Runnable listener = () -> {};

    /** Creates the states before any rank has sent one. */
    public Stands() {}

    /**
     * Sets the rank that owns these states, and the messenger to the other ranks. The owner calls this before it calls
     * shrink.
     */
    public synchronized void connect(int ownRank, int ranks, Messenger toOthers) {
        rank = ownRank;
        size = ranks;
        messenger = toOthers;
    }

    /** Takes the state that a rank has sent. */
    public void heard(int from, Stand stand, long asked, long answer) {
        Messenger replies;
        Stand reply;
        Runnable hears;
        synchronized (this) {
            if (stand.version() >= others.getOrDefault(from, Stand.NONE).version()) {
                others.put(from, stand);
            }
            answers.merge(from, answer, Math::max);
            if (stand.refuses(rank, own.call())
                    && own.isOpen()
                    && !own.excluded().contains(from)) {
                refused = Optional.of(from);
            }
            changed();
            replies = messenger;
            reply = own;
            hears = listener;
        }
        hears.run();
        if (asked > 0 && replies != null) {
            replies.tell(from, reply, 0, asked);
        }
    }

    /** Marks a rank as lost: it has ended or cannot be reached. */
    public synchronized void lost(int each, String how) {
        lost.putIfAbsent(each, how);
        changed();
    }

    /** Marks a rank as closed: it has closed the communicator. */
    public synchronized void closed(int each) {
        closed.add(each);
        changed();
    }

    /** Returns the ranks that are known to be lost, and for each how it was lost. */
    public synchronized Map<Integer, String> losses() {
        return Map.copyOf(lost);
    }

    private void changed() {
        changes++;
        notifyAll();
    }

    // The methods below are for the thread that makes the call.

    int rank() {
        return rank;
    }

    int size() {
        return size;
    }

    Stand own() {
        return own;
    }

    /** Returns the last state of a rank; {@link Stand#NONE} for a lost rank. */
    Stand of(int each) {
        return lost.containsKey(each) ? Stand.NONE : said(each);
    }

    /** Returns the last state of a rank, also of a lost one. */
    Stand said(int each) {
        return each == rank ? own : others.getOrDefault(each, Stand.NONE);
    }

    Optional<String> howLost(int each) {
        return Optional.ofNullable(lost.get(each));
    }

    boolean hasClosed(int each) {
        return closed.contains(each);
    }

    /** Returns whether a rank can still send a state. */
    boolean isThere(int each) {
        return !lost.containsKey(each) && !closed.contains(each);
    }

    Optional<Integer> refused() {
        return refused;
    }

    long changes() {
        return changes;
    }

    /** Returns whether a rank has answered a question. */
    boolean hasAnswered(int each, long asked) {
        return answers.getOrDefault(each, 0L) >= asked;
    }

    /** Changes the state of this rank. {@link #tell} sends it to the other ranks, and is called without the monitor. */
    void say(Stand next) {
        if (next.phase() == Stand.Phase.CALLED && next.call() != own.call()) {
            refused = Optional.empty();
        }
        own = next;
        untold = true;
    }

    /**
     * Sets the action that runs each time that a rank has sent a state. It runs in any thread, and without the monitor.
     */
    synchronized void listen(Runnable hears) {
        listener = hears;
    }

    /** Sends the state of this rank to all other ranks, if it has changed. */
    void tell() {
        synchronized (this) {
            if (!untold) {
                return;
            }
            untold = false;
        }
        toOthers(0);
    }

    /** Sends the state of this rank with a question to all other ranks. Returns the number of the question. */
    long ask() {
        long asked;
        synchronized (this) {
            untold = false;
            question++;
            asked = question;
        }
        toOthers(asked);
        return asked;
    }

    private void toOthers(long asked) {
        Messenger toOthers;
        Stand stand;
        List<Integer> there;
        synchronized (this) {
            toOthers = messenger;
            stand = own;
            there = IntStream.range(0, size)
                    .filter(each -> each != rank && isThere(each))
                    .boxed()
                    .toList();
        }
        if (toOthers != null) {
            there.forEach(each -> toOthers.tell(each, stand, asked, 0));
        }
    }

    /** Waits until the number of changes differs from {@code seen}, but at most {@code nanos} nanoseconds. */
    synchronized void await(long seen, long nanos) throws InterruptedException {
        if (changes == seen && nanos > 0) {
            TimeUnit.NANOSECONDS.timedWait(this, nanos);
        }
    }

    /**
     * Returns a description of a rank that has gone on without this rank, after an attempt in which this rank has taken
     * part.
     *
     * @return the rank, and the ranks that it excluded; empty if no rank has gone on
     */
    public synchronized Optional<String> leftBehind() {
        return IntStream.range(0, size)
                .filter(each -> each != rank
                        && of(each).phase() == Stand.Phase.FORMED
                        && of(each).excluded().contains(rank))
                .mapToObj(each -> "rank " + each + " has gone on without ranks " + of(each).excluded())
                .findFirst();
    }
}
