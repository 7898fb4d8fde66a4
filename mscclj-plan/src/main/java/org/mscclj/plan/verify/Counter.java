package org.mscclj.plan.verify;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A count that some raise and one waits for: an end of a channel, or a semaphore. Who waits for the n-th knows of every signal without which
 * there could not have been n: of one signaller's, that is its n-th; of several, those that are needed even if the others have given all theirs.
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
        private final Deque<Signal> signals = new ArrayDeque<>();

        /** Signals that were given before them. */
        private int dropped;

        /** The signal of this number, from 1, if it was given; earlier ones are not asked for any more. */
        Optional<Signal> number(int number) {
            while (dropped < number - 1 && !signals.isEmpty()) {
                signals.remove();
                dropped++;
            }
            return number > dropped ? Optional.ofNullable(signals.peek()) : Optional.empty();
        }
    }

    private final Map<Integer, Given> signals = new HashMap<>();

    /** How many signals of each agent a launch has. */
    private final Map<Integer, Integer> perLaunch = new HashMap<>();

    private final List<Block> waiting = new ArrayList<>();
    private int waitsPerLaunch;
    private int initial;
    private int raised;
    private int expected;

    void startAt(int value) {
        initial = value;
    }

    /** An agent will signal so often in each launch. */
    void declare(int agent, int signalsPerLaunch) {
        perLaunch.merge(agent, signalsPerLaunch, Integer::sum);
    }

    /** Somebody will wait so often in each launch. */
    void declareWaits(int times) {
        waitsPerLaunch += times;
    }

    int waitsPerLaunch() {
        return waitsPerLaunch;
    }

    int signalsPerLaunch() {
        return perLaunch.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Whether the waits of a launch need more than its signals give. */
    boolean isShort() {
        return waitsPerLaunch > signalsPerLaunch() + initial;
    }

    /** Whether more than one agent signals. */
    boolean hasSeveralSignallers() {
        return perLaunch.size() > 1;
    }

    int raised() {
        return raised;
    }

    /** The number of the signal that is waited for next, from 1. */
    int next() {
        return expected + 1;
    }

    List<Block> waiting() {
        return waiting;
    }

    void signal(int agent, Signal signal) {
        signals.computeIfAbsent(agent, _ -> new Given()).signals.add(signal);
        raised++;
    }

    /** Whether the next wait is over. */
    boolean isReached() {
        return initial + raised > expected;
    }

    /**
     * Takes the signal that is waited for next.
     *
     * @return by signaller, the last signal that was needed for it
     */
    List<Signal> take() {
        expected++;
        int total = signalsPerLaunch();
        int earlier = total == 0 ? 0 : (expected - initial - 1) / total;
        int withinLaunch = expected - initial - Math.max(0, earlier) * total;
        List<Signal> needed = new ArrayList<>();
        perLaunch.forEach((agent, own) -> {
            int atLeast = Math.max(0, earlier) * own + Math.max(0, withinLaunch - (total - own));
            Given given = signals.get(agent);
            if (atLeast > 0 && given != null) {
                given.number(atLeast).ifPresent(needed::add);
            }
        });
        return needed;
    }

    /** Forgets signals and waits: a semaphore at the start of a launch. */
    void reset() {
        signals.clear();
        raised = 0;
        expected = 0;
    }
}
