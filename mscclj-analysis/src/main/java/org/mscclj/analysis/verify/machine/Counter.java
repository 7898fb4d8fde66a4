package org.mscclj.analysis.verify.machine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.mscclj.analysis.verify.order.VectorClock;

/**
 * A counter that some agents raise and blocks wait for: one end of a channel, or a semaphore. A block that waits for
 * count n acquires every signal without which the counter could not have reached n. With one signaller, that is its
 * n-th signal; with several, those that are needed even if all other signallers have sent all of theirs.
 */
final class Counter {
    /**
     * What a signal releases.
     *
     * @param clock clock of the signaller
     * @param relaxed whether the signal releases reads only
     * @param raised whether engines raise the signal to a full one, so that relaxed waits acquire it
     * @param begin clock before the signaller's launch, which every signal releases
     */
    record Signal(VectorClock clock, boolean relaxed, boolean raised, VectorClock begin) {}

    /** The signals of one agent that a wait may still acquire. */
    private static final class SentSignals {
        private final List<Signal> signals = new ArrayList<>();

        /** The number of the first signal kept; earlier ones are dropped. */
        private int first = 1;

        /** The signal with this number, counted from 1, if it has been sent. */
        Optional<Signal> number(int number) {
            int index = number - first;
            return index >= 0 && index < signals.size() ? Optional.of(signals.get(index)) : Optional.empty();
        }

        /** Drops the signals before a number, now or later. */
        void dropBefore(int number) {
            int count = Math.min(number - first, signals.size());
            if (2 * count > signals.size()) { // drops at least half of them, so that each is moved once on average
                signals.subList(0, count).clear();
                first += count;
            }
        }
    }

    private final int number;
    private final boolean contested;
    private final boolean lock;
    private final Map<Integer, SentSignals> signals = new HashMap<>();

    /** Signals of each agent in one launch. */
    private final Map<Integer, Integer> perLaunch = new HashMap<>();

    private final List<Block> waiting = new ArrayList<>();
    private int waitsPerLaunch;
    private int signalsPerLaunch;
    private int initial;
    private int raised;
    private int claimed;

    /**
     * Creates a counter at 0.
     *
     * @param number identity of the counter, the same in each run of a plan
     * @param contested whether several blocks wait for it
     */
    Counter(int number, boolean contested) {
        this(number, contested, false);
    }

    private Counter(int number, boolean contested, boolean lock) {
        this.number = number;
        this.contested = contested;
        this.lock = lock;
    }

    /** Creates a lock: a semaphore that always becomes available, and whose acquisition orders nothing. */
    static Counter lock(int number) {
        return new Counter(number, false, true);
    }

    boolean isLock() {
        return lock;
    }

    int number() {
        return number;
    }

    boolean isContested() {
        return contested;
    }

    void startAt(int value) {
        initial = value;
    }

    int initial() {
        return initial;
    }

    /** Declares how often an agent signals in each launch. */
    void declare(int agent, int times) {
        perLaunch.merge(agent, times, Integer::sum);
        signalsPerLaunch += times;
    }

    /** Declares how often blocks wait in each launch. */
    void declareWaits(int times) {
        waitsPerLaunch += times;
    }

    int waitsPerLaunch() {
        return waitsPerLaunch;
    }

    int signalsPerLaunch() {
        return signalsPerLaunch;
    }

    /** Whether a launch waits more often than it signals. */
    boolean isShort() {
        return waitsPerLaunch > (long) signalsPerLaunch + initial;
    }

    /** Whether more than one agent signals. */
    boolean hasSeveralSignallers() {
        return perLaunch.size() > 1;
    }

    int raised() {
        return raised;
    }

    /** Blocks that wait for this counter. */
    List<Block> waiting() {
        return waiting;
    }

    void signal(int agent, Signal signal) {
        signals.computeIfAbsent(agent, _ -> new SentSignals()).signals.add(signal);
        raised++;
    }

    /** The number, from 1, of the signal for the next claim. */
    int next() {
        return claimed + 1;
    }

    /** Claims the next signal, sent or not, and returns its number. */
    int claim() {
        return ++claimed;
    }

    /** Whether the counter has reached a count. */
    boolean isReached(int count) {
        return (long) initial + raised >= count;
    }

    /**
     * The signals that a block acquires when its claimed count is reached.
     *
     * @param count number of the claimed signal
     * @return for each signaller, the last signal without which the counter could not have reached the count
     */
    List<Signal> needed(int count) {
        int own = count - initial;
        int earlier = own > 0 && signalsPerLaunch > 0 ? (own - 1) / signalsPerLaunch : 0;
        int withinLaunch = own - earlier * signalsPerLaunch;
        List<Signal> needed = new ArrayList<>(perLaunch.size());
        perLaunch.forEach((agent, times) -> {
            int atLeast = earlier * times + Math.max(0, withinLaunch - (signalsPerLaunch - times));
            SentSignals sent = signals.get(agent);
            if (atLeast > 0 && sent != null) {
                sent.number(atLeast).ifPresent(needed::add);
                if (!contested) { // counts are requested in ascending order
                    sent.dropBefore(atLeast);
                }
            }
        });
        return needed;
    }

    /** Drops signals and claims: the state of a semaphore at the start of a launch. */
    void reset() {
        signals.clear();
        raised = 0;
        claimed = 0;
    }
}
