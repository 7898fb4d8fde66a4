package org.mscclj.cli.measure;

import java.time.Duration;
import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;
import picocli.CommandLine.Option;

/** The options that say how times are taken. */
public final class SamplingOptions {
    private static final int MAX_SAMPLES = 1000;
    private static final int MAX_OPERATIONS = 100_000;
    private static final int MAX_REPLAYS = 10_000;

    @Option(
            names = "--iterations",
            paramLabel = "N",
            description = "Samples of each size, 1 to " + MAX_SAMPLES + "; their median counts. Default: 20.")
    private int samples = 20;

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            description = "Launch for a time, for example 500ms, before the first sample of a size. Default: 200ms for"
                    + " graphs, else until launches get no faster.")
    private Optional<Duration> warmUp = Optional.empty();

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
            description = "Launches in a graph, 1 to " + MAX_OPERATIONS + ". Default: " + SamplePlan.MAX_GRAPH_LAUNCHES
                    + ", or as many as take 10 milliseconds, but at least " + SamplePlan.MIN_GRAPH_LAUNCHES + ".")
    private Optional<Integer> operations = Optional.empty();

    @Option(
            names = "--replays",
            paramLabel = "N",
            description = "Replays of the graph in a sample, without a pause, 1 to " + MAX_REPLAYS
                    + ". Default: enough for 10 milliseconds.")
    private Optional<Integer> replays = Optional.empty();

    /** Called by picocli. */
    public SamplingOptions() {}

    /**
     * Returns the sampling.
     *
     * @param backend the name of the backend, which must be available
     * @throws InvalidArgumentException if an option is out of range, if the method is graph and the backend cannot
     *     capture, or if an option of graphs is given and the method is not graph
     */
    public Sampling sampling(String backend) {
        LaunchMethod chosen = method(backend);
        return new Sampling(
                chosen,
                ofGraphs("--graph-operations", operations, MAX_OPERATIONS, chosen),
                ofGraphs("--replays", replays, MAX_REPLAYS, chosen),
                within("--iterations", samples, MAX_SAMPLES),
                warmUp);
    }

    private LaunchMethod method(String backend) {
        boolean captures = LaunchMethod.captures(backend);
        if (!captures && method.equals(Optional.of(LaunchMethod.GRAPH))) {
            throw InvalidArgumentException.of(
                    "--method", "graph", "eager, since backend " + backend + " cannot capture");
        }
        return method.orElseGet(() -> LaunchMethod.preferred(backend));
    }

    private static Optional<Integer> ofGraphs(String option, Optional<Integer> given, int most, LaunchMethod chosen) {
        if (given.isPresent() && chosen != LaunchMethod.GRAPH) {
            throw new InvalidArgumentException(option + " is " + given.get()
                    + ", but launches are made one by one; leave it out, or choose --method graph");
        }
        return given.map(number -> within(option, number, most));
    }

    private static int within(String option, int number, int most) {
        if (number < 1 || number > most) {
            throw InvalidArgumentException.of(option, number, "1 to " + most);
        }
        return number;
    }
}
