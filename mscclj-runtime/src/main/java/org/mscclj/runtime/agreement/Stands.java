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
 * What the ranks of one communicator have said of their calls of shrink, as one of them has heard it. A rank answers
 * whatever it does, whether or not it calls shrink itself. Only the thread that is in the call changes what its own
 * rank says; it changes that under the monitor of this object, together with what it has concluded from what others
 * say. An answer is therefore either sent before such a change, or tells of it.
 */
public final class Stands {
    private final Map<Integer, Stand> others = new HashMap<>();
    private final TreeMap<Integer, String> lost = new TreeMap<>();
    private final TreeSet<Integer> closed = new TreeSet<>();

    /** The last question of this rank that each has answered. */
    private final Map<Integer, Long> answers = new HashMap<>();

    private Stand own = Stand.NONE;
    private boolean untold;
    private long question;
    private long changes;

    /**
     * A rank that is left, as this rank says, and that was refused while this rank was in its call: so this rank's call
     * is refused, too.
     */
    private Optional<Integer> refused = Optional.empty();

    private int rank;
    private int size;
    private @Nullable Messenger messenger;
    private Runnable listener = () -> {};

    /** Nothing is known yet. */
    public Stands() {}

    /** Says whose stands these are, and how they reach the others. To be called before this rank calls shrink. */
    public synchronized void connect(int ownRank, int ranks, Messenger toOthers) {
        rank = ownRank;
        size = ranks;
        messenger = toOthers;
    }

    /** A rank says how far it is. */
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

    /** A rank has ended or cannot be reached. */
    public synchronized void lost(int each, String how) {
        lost.putIfAbsent(each, how);
        changed();
    }

    /** A rank has closed the communicator. */
    public synchronized void closed(int each) {
        closed.add(each);
        changed();
    }

    /** The ranks that are known to be lost, and how. */
    public synchronized Map<Integer, String> losses() {
        return Map.copyOf(lost);
    }

    private void changed() {
        changes++;
        notifyAll();
    }

    // What follows is for the thread that is in the call.

    int rank() {
        return rank;
    }

    int size() {
        return size;
    }

    Stand own() {
        return own;
    }

    /** What a rank has said last; of one that is lost, nothing that counts. */
    Stand of(int each) {
        return lost.containsKey(each) ? Stand.NONE : said(each);
    }

    /** What a rank has said last, also if it is lost. */
    Stand said(int each) {
        return each == rank ? own : others.getOrDefault(each, Stand.NONE);
    }

    Optional<String> howLost(int each) {
        return Optional.ofNullable(lost.get(each));
    }

    boolean hasClosed(int each) {
        return closed.contains(each);
    }

    /** Whether a rank may still say something. */
    boolean isThere(int each) {
        return !lost.containsKey(each) && !closed.contains(each);
    }

    Optional<Integer> refused() {
        return refused;
    }

    long changes() {
        return changes;
    }

    /** Whether a rank has answered a question. */
    boolean hasAnswered(int each, long asked) {
        return answers.getOrDefault(each, 0L) >= asked;
    }

    /** Changes what this rank says; {@link #tell} tells the others, and must be called without the monitor. */
    void say(Stand next) {
        if (next.phase() == Stand.Phase.CALLED && next.call() != own.call()) {
            refused = Optional.empty();
        }
        own = next;
        untold = true;
    }

    /** Says what is run, in any thread and without the monitor, whenever a rank has said something. */
    synchronized void listen(Runnable hears) {
        listener = hears;
    }

    /** Tells all others what this rank says, if that has changed. */
    void tell() {
        synchronized (this) {
            if (!untold) {
                return;
            }
            untold = false;
        }
        toOthers(0);
    }

    /** Tells all others what this rank says, and asks them. The number of the question. */
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

    /** Waits for a change since so many, but no longer than this. */
    synchronized void await(long seen, long nanos) throws InterruptedException {
        if (changes == seen && nanos > 0) {
            TimeUnit.NANOSECONDS.timedWait(this, nanos);
        }
    }

    /**
     * Whether ranks have gone on without this one, after an attempt in which this one has taken part.
     *
     * @return each, and without which ranks; empty if none has
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
