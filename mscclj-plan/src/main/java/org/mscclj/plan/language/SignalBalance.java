package org.mscclj.plan.language;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.mscclj.plan.ChannelType;

/**
 * Whether every signal has a wait and every wait a signal: counters go on from launch to launch, so that one too many
 * or too few lets some later launch see a signal that is not its own, or wait for ever. MSCCL++'s DSL counts for pairs
 * of ranks; here every channel counts for itself, and a pipeline, whose number of iterations the message's size
 * decides, keeps its own account.
 */
final class SignalBalance {
    /**
     * Signals that one kind of wait waits for.
     *
     * @param type of the channels
     * @param from who signals
     * @param to who waits
     * @param number of the channel, among those from one to the other
     * @param often how often what is said once is done
     */
    private record Key(ChannelType type, int from, int to, int number, Iterations often) {
        /** A record's own would be equal for most pairs of a thousand ranks. */
        @Override
        public int hashCode() {
            int pair = from * 0x9E3779B1 + to;
            return (pair * 0x85EBCA6B + number) * 31 + 31 * type.hashCode() + often.hashCode();
        }
    }

    /** What has been said of one key. */
    private static final class Account {
        private final Tally signals = new Tally();
        private final Tally waits = new Tally();
        /** The lines of the signals that have no wait yet, or of the waits that have no signal yet, in order. */
        private final Deque<SourceLine> open = new ArrayDeque<>(1);

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
                open.add(SourceLine.current());
            }
        }
    }

    private final Map<Key, Account> accounts = new LinkedHashMap<>();

    void signalled(ChannelEnd end, int block, Iterations often) {
        account(new Key(end.type(), end.rank(), end.peer(), end.number(), often))
                .signalled(block);
    }

    void awaited(ChannelEnd end, int block, Iterations often) {
        account(new Key(end.type(), end.peer(), end.rank(), end.number(), often))
                .awaited(block);
    }

    private Account account(Key key) {
        return accounts.computeIfAbsent(key, _ -> new Account());
    }

    /** What is wrong, if anything is. */
    Optional<String> fault() {
        return accounts.entrySet().stream()
                .filter(entry -> !entry.getValue().open.isEmpty())
                .findFirst()
                .map(entry -> fault(entry.getKey(), entry.getValue()));
    }

    private static String fault(Key key, Account account) {
        boolean signal = account.signals.count() > account.waits.count();
        return "rank " + key.from + account.signals + " signals rank " + key.to + " " + account.signals.times()
                + " over " + key.type.label() + " channel " + key.number + " between them" + key.often + ", and rank "
                + key.to + account.waits + " waits for it " + account.waits.times() + "; the first "
                + (signal ? "signal without a wait" : "wait without a signal") + " is at " + account.open.getFirst()
                + "; allowed: a wait for each signal, over the same channel and as often";
    }
}
