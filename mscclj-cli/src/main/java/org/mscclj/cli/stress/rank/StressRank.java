package org.mscclj.cli.stress.rank;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.mscclj.api.Communicator;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.Quorum;
import org.mscclj.api.bootstrap.PortRange;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.conformance.operation.Mismatch;
import org.mscclj.conformance.operation.MismatchedPair;
import org.mscclj.conformance.operation.Operations;
import org.mscclj.conformance.operation.Step;

/**
 * A rank that executes commands and reports the results. Used by one thread, except for {@link #finish} and
 * {@link #abandon}.
 */
final class StressRank {
    private static final int QUORUM_WORDS = 5;

    private final Consumer<RankReport> reports;
    private volatile Optional<Communicator> open = Optional.empty();
    private volatile boolean finishing;

    StressRank(Consumer<RankReport> reports) {
        this.reports = reports;
    }

    /** Ends the repetition of an operation. */
    void finish() {
        finishing = true;
    }

    /** Aborts the running call, since the command that reads the reports has ended. */
    void abandon() {
        finishing = true;
        open.ifPresent(communicator -> communicator.abort("the command that started this rank has ended"));
    }

    /** Executes a command, and sends at least one report. */
    void execute(String[] words) {
        try {
            act(words);
            reports.accept(RankReport.of(RankReport.Kind.DONE));
        } catch (RuntimeException | Error e) {
            reports.accept(RankReport.of(e));
        }
    }

    private void act(String[] words) {
        switch (words[0]) {
            case "announced" -> {
                reports.accept(RankReport.of(RankReport.Kind.RUNNING));
                act(Arrays.copyOfRange(words, 1, words.length));
            }
            case "open" -> open(words, 2, options -> options.job(words[1]));
            case "meet" -> open(words, 3, options -> options.address(words[1]).secret(words[2]));
            case "join" -> join(words);
            case "connect" -> {
                int port = Integer.parseInt(words[2]);
                open(
                        words,
                        4,
                        options -> options.address(words[1])
                                .controlPorts(new PortRange(port, port))
                                .secret(words[3]));
            }
            case "repeat" -> repeat(words[1], Integer.parseInt(words[2]));
            case "until-finished" -> untilFinished(words[1], Integer.parseInt(words[2]));
            case "shrink" -> continueIn(communicator().shrink(ranks(words[1])));
            case "grow" -> continueIn(communicator().reconfigure(quorum(words)));
            case "mismatch" -> mismatch(words);
            case "fault" ->
                new FaultyLaunch(communicator(), DeviceFault.valueOf(words[1]), Integer.parseInt(words[2]))
                        .run(
                                () -> reports.accept(RankReport.of(RankReport.Kind.RUNNING)),
                                e -> reports.accept(RankReport.of(e)));
            case "sum" -> sum();
            case "close" -> close();
            default -> throw InvalidArgumentException.of("line", String.join(" ", words), "a command of mscclj stress");
        }
    }

    private Communicator communicator() {
        return open.orElseThrow();
    }

    /**
     * Opens the communicator.
     *
     * @param first index of the arguments rank, size, ranks of a node, timeout and backend
     * @param meeting the rendezvous
     */
    private void open(String[] words, int first, UnaryOperator<CommunicatorOptions> meeting) {
        finishing = false;
        CommunicatorOptions options = CommunicatorOptions.rank(
                        Integer.parseInt(words[first]), Integer.parseInt(words[first + 1]))
                .ranksPerNode(Integer.parseInt(words[first + 2]));
        open = Optional.of(Communicator.open(meeting.apply(refine(options, words, first))));
    }

    private static CommunicatorOptions refine(CommunicatorOptions options, String[] words, int first) {
        return options.timeout(Duration.ofMillis(Long.parseLong(words[first + 3])))
                .backend(words[first + 4]);
    }

    private void close() {
        try {
            open.ifPresent(Communicator::close);
        } finally { // a resource that could not be closed is not used any more
            open = Optional.empty();
        }
    }

    private static Step step(String name, Communicator communicator, int count) {
        return name.equals(ObjectStep.NAME)
                ? new ObjectStep(communicator, count)
                : Operations.open(name, communicator, count);
    }

    /** Repeats an operation until it fails. */
    private void repeat(String name, int count) {
        try (Step step = step(name, communicator(), count)) {
            step.run();
            reports.accept(RankReport.of(RankReport.Kind.RUNNING));
            while (true) {
                step.run();
            }
        }
    }

    /** Repeats an operation until a rank is to finish, on which the ranks agree now and then. */
    private void untilFinished(String name, int count) {
        try (Step step = Operations.open(name, communicator(), count);
                Agreement agreement = new Agreement(communicator())) {
            step.run();
            reports.accept(RankReport.of(RankReport.Kind.RUNNING));
            do {
                for (int i = 0; i < Agreement.PERIOD; i++) {
                    step.run();
                }
            } while (!agreement.any(finishing));
        }
    }

    /** Replaces the communicator by another one after an allreduce in it is right. */
    private void continueIn(Communicator next) {
        close();
        open = Optional.of(next);
        sum();
    }

    /** Reports rank and number of ranks, and checks an allreduce. */
    private void sum() {
        Communicator communicator = communicator();
        reports.accept(new RankReport(RankReport.Kind.FORMED, List.of(communicator.rank(), communicator.size()), ""));
        try (Step step = Operations.open("allreduce", communicator, 1024)) {
            step.run();
        }
    }

    /** Opens the communicator of a quorum as a newcomer. */
    private void join(String[] words) {
        Quorum quorum = quorum(words);
        int place = 1 + QUORUM_WORDS;
        finishing = false;
        continueIn(Communicator.open(
                refine(CommunicatorOptions.newcomer(quorum, Integer.parseInt(words[place])), words, place)));
    }

    /** Parses a quorum: its id, members, ranks of a node, address and secret. */
    private static Quorum quorum(String[] words) {
        return Quorum.of(words[1], ranks(words[2]))
                .ranksPerNode(Integer.parseInt(words[3]))
                .address(words[4])
                .secret(words[5]);
    }

    private static List<Integer> ranks(String list) {
        return Stream.of(list.split(",", -1)).map(Integer::valueOf).toList();
    }

    /** Makes two calls that do not match; see {@link Mismatch}. */
    private void mismatch(String[] words) {
        Mismatch mismatch = Mismatch.valueOf(words[1].toUpperCase(Locale.ROOT));
        Random random = new Random(Long.parseLong(words[2]));
        boolean prepared = random.nextBoolean();
        int deviant = Integer.parseInt(words[3]);
        int absent = Integer.parseInt(words[4]);
        Communicator communicator = communicator();
        try (MismatchedPair pair = MismatchedPair.open(communicator, mismatch, random, deviant)) {
            try {
                communicator.barrier();
                reports.accept(new RankReport(
                        RankReport.Kind.RUNNING,
                        List.of(),
                        pair.calls().rightWords() + "|" + pair.calls().otherWords()));
                if (communicator.rank() != absent) {
                    pair.launch(communicator.rank() == deviant, prepared).accept(communicator.timeout());
                }
                communicator.barrier(); // a rank that has completed learns the result of the others
            } catch (InvalidArgumentException refused) { // no failure
                pair.launch(false, false).accept(communicator.timeout());
                throw refused;
            }
        }
    }
}
