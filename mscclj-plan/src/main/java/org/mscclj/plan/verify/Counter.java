package org.mscclj.plan.verify;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A count that some raise and others wait for: an end of a channel, or a semaphore. Who waits for the n-th knows of
 * every signal without which there could not have been n: of one signaller's, that is its n-th; of several, those that
 * are needed even if the others have given all theirs.
 */
final class Counter {
    /**
     * What a signal tells.
     *
     * @param known what the signaller knows
     * @param relaxed whether it tells of reads only
     * @param raised whether engines have made it a full one, and let relaxed waits acquire it
     * @param begin what preceded the signaller's launch, of which every signal tells
     */
    record Signal(Knowledge known, boolean relaxed, boolean raised, Knowledge begin) {}

    /** The signals of one agent that may still be taken. */
    private static final class Given {
        private final List<Signal> signals = new ArrayList<>();

        /** The number of the first of them; those before it are forgotten. */
        private int first = 1;

        /** The signal of this number, from 1, if it was given. */
        Optional<Signal> number(int number) {
            int index = number - first;
            return index >= 0 && index < signals.size() ? Optional.of(signals.get(index)) : Optional.empty();
        }

        /** Forgets those before a number, now or later. */
        void forgetBefore(int number) {
            int count = Math.min(number - first, signals.size());
            if (2 * count > signals.size()) { // half of them at once, so that each is moved once on average
                signals.subList(0, count).clear();
                first += count;
            }
        }
    }

    private final int number;
    private final boolean contested;
    private final boolean lock;
    private final Map<Integer, Given> signals = new HashMap<>();

    /** How many signals of each agent a launch has. */
    private final Map<Integer, Integer> perLaunch = new HashMap<>();

    private final List<Block> waiting = new ArrayList<>();
    private int waitsPerLaunch;
    private int signalsPerLaunch;
    private int initial;
    private int raised;
    private int claimed;

    /**
     * A counter that nobody has raised.
     *
     * @param number tells it from other counters, and is the same in each run of a plan
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

    /** A semaphore that can always be taken in the end, and of which nobody learns anything. */
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

    /** An agent will signal so often in each launch. */
    void declare(int agent, int times) {
        perLaunch.merge(agent, times, Integer::sum);
        signalsPerLaunch += times;
    }

    /** Blocks will wait so often in each launch. */
    void declareWaits(int times) {
        waitsPerLaunch += times;
    }

    int waitsPerLaunch() {
        return waitsPerLaunch;
    }

    int signalsPerLaunch() {
        return signalsPerLaunch;
    }

    /** Whether the waits of a launch need more than its signals give. */
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

    /** Blocks that wait for it. */
    List<Block> waiting() {
        return waiting;
    }

    void signal(int agent, Signal signal) {
        signals.computeIfAbsent(agent, _ -> new Given()).signals.add(signal);
        raised++;
    }

    /** The number of the signal, from 1, that the next claim is for. */
    int next() {
        return claimed + 1;
    }

    /** Claims the next signal, whether it has come or not; its number. */
    int claim() {
        return ++claimed;
    }

    /** Whether there have been so many. */
    boolean isReached(int count) {
        return (long) initial + raised >= count;
    }

    /**
     * What who claimed a signal that has come knows of.
     *
     * @param count the number of the signal
     * @return by signaller, the last signal without which the count could not have been reached
     */
    List<Signal> needed(int count) {
        int own = count - initial;
        int earlier = own > 0 && signalsPerLaunch > 0 ? (own - 1) / signalsPerLaunch : 0;
        int withinLaunch = own - earlier * signalsPerLaunch;
        List<Signal> needed = new ArrayList<>(perLaunch.size());
        perLaunch.forEach((agent, times) -> {
            int atLeast = earlier * times + Math.max(0, withinLaunch - (signalsPerLaunch - times));
            Given given = signals.get(agent);
            if (atLeast > 0 && given != null) {
                given.number(atLeast).ifPresent(needed::add);
                if (!contested) { // counts are asked for in order
                    given.forgetBefore(atLeast);
                }
            }
        });
        return needed;
    }

    /** Forgets signals and claims: a semaphore at the start of a launch. */
    void reset() {
        signals.clear();
        raised = 0;
        claimed = 0;
    }
}
