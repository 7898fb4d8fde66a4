package org.mscclj.cli.stress.fault;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * The settings of scenarios with faults.
 *
 * @param ranks number of ranks
 * @param ranksPerNode number of ranks on each simulated node
 * @param backend the backend's name
 * @param timeout the timeout of an undisturbed operation
 * @param limit the time limit for the detection of a fault
 * @param operations names of the operations during which faults happen
 * @param seed the seed of all random choices
 * @param progress receives lines: failures at once, and the progress now and then
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

    /** Returns the operation of a fault: all operations take turns. */
    String operation(int number) {
        return operations.get(number % operations.size());
    }

    /**
     * Returns the rank of a fault: ranks take turns, shifted by one in each round of operations, so that all
     * combinations occur.
     */
    int victim(int number) {
        return (number % operations.size() + number / operations.size()) % ranks;
    }
}
