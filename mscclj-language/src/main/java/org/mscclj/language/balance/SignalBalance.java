package org.mscclj.language.balance;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.mscclj.plan.ChannelType;

/**
 * Checks that every signal has a wait and every wait a signal. Counters continue from launch to launch, so a surplus
 * lets a later launch pass on a wrong signal, and a shortage lets it wait forever. MSCCL++'s DSL counts for each pair
 * of ranks; this class counts for each channel, and separately for pipelines, whose number of iterations depends on the
 * message size.
 */
public final class SignalBalance {
    /**
     * The signals that one kind of wait waits for.
     *
     * @param type type of channel
     * @param from rank that signals
     * @param to rank that waits
     * @param number index of the channel among those from one rank to the other
     * @param often how often one recorded operation is executed
     */
    private record Key(ChannelType type, int from, int to, int number, Iterations often) {
        /** The hash of the record itself would be equal for most pairs of a thousand ranks. */
        @Override
        public int hashCode() {
            int pair = from * 0x9E3779B1 + to;
            return (pair * 0x85EBCA6B + number) * 31 + 31 * type.hashCode() + often.hashCode();
        }
    }

    /** The recorded signals and waits of one key. */
    private final class Use {
        private final Tally signals = new Tally();
        private final Tally waits = new Tally();
        /** The lines of the signals without a wait, or of the waits without a signal, in order. */
        private final Deque<Object> open = new ArrayDeque<>(1);

        void signalled(int block) {
            match(waits.count() > signals.count());
            signals.add(block);
        }

        void awaited(int block) {
            match(signals.count() > waits.count());
            waits.add(block);
        }

        private void match(boolean found) {
            if (found) {
                open.removeFirst();
            } else {
                open.add(line.get());
            }
        }
    }

    private final Supplier<?> line;
    private final Map<Key, Use> uses = new LinkedHashMap<>();

    /** Creates a check of a program; {@code line} supplies the line that is recorded at present. */
    public SignalBalance(Supplier<?> line) {
        this.line = line;
    }

    /** Records a signal. */
    public void signalled(ChannelType type, int from, int to, int number, int block, Iterations often) {
        use(new Key(type, from, to, number, often)).signalled(block);
    }

    /** Records a wait. */
    public void awaited(ChannelType type, int from, int to, int number, int block, Iterations often) {
        use(new Key(type, from, to, number, often)).awaited(block);
    }

    private Use use(Key key) {
        return uses.computeIfAbsent(key, _ -> new Use());
    }

    /** Describes the fault; empty if there is none. */
    public Optional<String> fault() {
        return uses.entrySet().stream()
                .filter(entry -> !entry.getValue().open.isEmpty())
                .findFirst()
                .map(entry -> fault(entry.getKey(), entry.getValue()));
    }

    private static String fault(Key key, Use use) {
        boolean signal = use.signals.count() > use.waits.count();
        return "rank " + key.from + use.signals + " signals rank " + key.to + " " + use.signals.times()
                + " over " + key.type.label() + " channel " + key.number + " between them" + key.often + ", and rank "
                + key.to + use.waits + " waits for it " + use.waits.times() + "; the first "
                + (signal ? "signal without a wait" : "wait without a signal") + " is at " + use.open.getFirst()
                + "; allowed: a wait for each signal, over the same channel and as often";
    }
}
