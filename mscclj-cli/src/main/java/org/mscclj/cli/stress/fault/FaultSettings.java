package org.mscclj.cli.stress.fault;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * How faults are made.
 *
 * @param ranks number of ranks
 * @param ranksPerNode ranks that are treated as if on the same node
 * @param backend the backend's name
 * @param timeout what an operation may take that nobody disturbs
 * @param limit what it may take until a rank hears of a fault
 * @param operations names of the operations during which faults happen
 * @param seed of everything that is random
 * @param progress is told lines about what is under way: what failed at once, and every now and then how far it is
 */
public record FaultSettings(
        int ranks,
        int ranksPerNode,
        String backend,
        Duration timeout,
        Duration limit,
        List<String> operations,
        long seed,
        Consumer<String> progress) {
    /** Copies the list. */
    public FaultSettings {
        operations = List.copyOf(operations);
    }

    /** The operation during which a fault happens: all have their turn before one comes again. */
    String operation(int number) {
        return operations.get(number % operations.size());
    }

    /**
     * The rank to which it happens: each in turn, and when an operation comes again, the next one, so that all have
     * their turn with all operations.
     */
    int victim(int number) {
        return (number % operations.size() + number / operations.size()) % ranks;
    }
}
