package org.mscclj.plan.language;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.mscclj.plan.ChannelType;

/**
 * Whether every signal has a wait and every wait a signal: counters go on from launch to launch, so that one too many or too few lets some
 * later launch see a signal that is not its own, or wait for ever. MSCCL++'s DSL counts for pairs of ranks; here every channel counts for
 * itself, and a pipeline, whose number of iterations the message's size decides, keeps its own account.
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

    private final Map<Key, Tally> signals = new LinkedHashMap<>();
    private final Map<Key, Tally> waits = new LinkedHashMap<>();

    void signalled(ChannelEnd end, int block, Iterations often) {
        count(signals, new Key(end.type(), end.rank(), end.peer(), end.number(), often), block);
    }

    void awaited(ChannelEnd end, int block, Iterations often) {
        count(waits, new Key(end.type(), end.peer(), end.rank(), end.number(), often), block);
    }

    private static void count(Map<Key, Tally> tallies, Key key, int block) {
        tallies.computeIfAbsent(key, _ -> new Tally()).add(block);
    }

    /** What is wrong, if anything is. */
    Optional<String> fault() {
        Map<Key, Tally> all = new LinkedHashMap<>(signals);
        all.putAll(waits);
        return all.keySet().stream()
                .filter(key -> signals.getOrDefault(key, Tally.NONE).count()
                        != waits.getOrDefault(key, Tally.NONE).count())
                .findFirst()
                .map(this::fault);
    }

    private String fault(Key key) {
        return "rank " + key.from + signals.getOrDefault(key, Tally.NONE) + " signals rank " + key.to + " "
                + signals.getOrDefault(key, Tally.NONE).times() + " over " + key.type.label() + " channel " + key.number
                + " between them" + key.often + ", and rank " + key.to + waits.getOrDefault(key, Tally.NONE)
                + " waits for it " + waits.getOrDefault(key, Tally.NONE).times()
                + "; allowed: a wait for each signal, over the same channel and as often";
    }
}
