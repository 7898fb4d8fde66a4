package org.mscclj.cli.perf;

import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.cli.measure.LaunchMethod;
import picocli.CommandLine.Option;

/** The options {@code --method} and {@code --graph-operations}. */
final class MethodOptions {
    private static final int MAX_OPERATIONS = 100_000;

    @Option(
            names = "--method",
            paramLabel = "eager|graph",
            description = "How timed launches are made: one by one by each rank's thread, or as a graph that is"
                    + " captured once and"
                    + " replayed. Default: graph on GPUs whose backend can capture, eager on the CPU.")
    private Optional<LaunchMethod> method = Optional.empty();

    @Option(
            names = "--graph-operations",
            paramLabel = "N",
            description = "Launches in a graph, 1 to " + MAX_OPERATIONS
                    + ". Default: enough for a replay of some milliseconds.")
    private Optional<Integer> operations = Optional.empty();

    /** Called by picocli. */
    MethodOptions() {}

    /**
     * Returns the method.
     *
     * @param backend the name of the backend, which must be available
     * @throws InvalidArgumentException if the method is graph and the backend cannot capture
     */
    LaunchMethod method(String backend) {
        boolean captures = LaunchMethod.captures(backend);
        if (!captures && method.equals(Optional.of(LaunchMethod.GRAPH))) {
            throw InvalidArgumentException.of(
                    "--method", "graph", "eager, since backend " + backend + " cannot capture");
        }
        return method.orElseGet(() -> LaunchMethod.preferred(backend));
    }

    /**
     * Returns the number of launches in a graph, if it is given.
     *
     * @throws InvalidArgumentException if the method is not graph
     */
    Optional<Integer> graphOperations(LaunchMethod chosen) {
        if (operations.isPresent() && chosen != LaunchMethod.GRAPH) {
            throw new InvalidArgumentException("--graph-operations is " + operations.get()
                    + ", but launches are made one by one; leave it out, or choose --method graph");
        }
        operations.filter(given -> given < 1 || given > MAX_OPERATIONS).ifPresent(given -> {
            throw InvalidArgumentException.of("--graph-operations", given, "1 to " + MAX_OPERATIONS);
        });
        return operations;
    }
}
