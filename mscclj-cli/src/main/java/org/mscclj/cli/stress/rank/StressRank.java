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

/** One rank that does as it is told, and reports. Used by one thread, but for {@link #finish} and {@link #abandon}. */
final class StressRank {
    private static final int QUORUM_WORDS = 5;

    private final Consumer<Report> reports;
    private volatile Optional<Communicator> open = Optional.empty();
    private volatile boolean finishing;

    StressRank(Consumer<Report> reports) {
        this.reports = reports;
    }

    /** Says that what is repeated until then shall end. */
    void finish() {
        finishing = true;
    }

    /** Ends what is going on, since nobody listens any more. */
    void abandon() {
        finishing = true;
        open.ifPresent(communicator -> communicator.abort("the command that started this rank has ended"));
    }

    /** Does what a line says, and reports one thing at least. */
    void obey(String[] words) {
        try {
            act(words);
            reports.accept(Report.of(Report.Kind.DONE));
        } catch (RuntimeException | Error e) {
            reports.accept(Report.of(e));
        }
    }

    private void act(String[] words) {
        switch (words[0]) {
            case "announced" -> {
                reports.accept(Report.of(Report.Kind.RUNNING));
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
            case "shrink" -> goOn(communicator().shrink(ranks(words[1])));
            case "grow" -> goOn(communicator().reconfigure(quorum(words)));
            case "mismatch" -> mismatch(words);
            case "fault" ->
                new FaultyLaunch(communicator(), DeviceFault.valueOf(words[1]), Integer.parseInt(words[2]))
                        .run(() -> reports.accept(Report.of(Report.Kind.RUNNING)), e -> reports.accept(Report.of(e)));
            case "sum" -> sum();
            case "close" -> close();
            default -> throw InvalidArgumentException.of("line", String.join(" ", words), "what mscclj stress says");
        }
    }

    private Communicator communicator() {
        return open.orElseThrow();
    }

    /**
     * Opens the communicator.
     *
     * @param first where rank, size, ranks of a node, timeout and backend stand
     * @param meeting says where ranks meet
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
        } finally { // what could not be closed as it should is not used either
            open = Optional.empty();
        }
    }

    private static Step step(String name, Communicator communicator, int count) {
        return name.equals(ObjectStep.NAME)
                ? new ObjectStep(communicator, count)
                : Operations.open(name, communicator, count);
    }

    /** Makes an operation until it fails. */
    private void repeat(String name, int count) {
        try (Step step = step(name, communicator(), count)) {
            step.run();
            reports.accept(Report.of(Report.Kind.RUNNING));
            while (true) {
                step.run();
            }
        }
    }

    /** Makes an operation until ranks are told to finish, about which they agree now and then. */
    private void untilFinished(String name, int count) {
        try (Step step = Operations.open(name, communicator(), count);
                Agreement agreement = new Agreement(communicator())) {
            step.run();
            reports.accept(Report.of(Report.Kind.RUNNING));
            do {
                for (int i = 0; i < Agreement.PERIOD; i++) {
                    step.run();
                }
            } while (!agreement.any(finishing));
        }
    }

    /** With another communicator in place of the one that is open, if it adds up right. */
    private void goOn(Communicator next) {
        close();
        open = Optional.of(next);
        sum();
    }

    /** Says which rank of how many this is, and adds up. */
    private void sum() {
        Communicator communicator = communicator();
        reports.accept(new Report(Report.Kind.FORMED, List.of(communicator.rank(), communicator.size()), ""));
        try (Step step = Operations.open("allreduce", communicator, 1024)) {
            step.run();
        }
    }

    /** As a newcomer. */
    private void join(String[] words) {
        Quorum quorum = quorum(words);
        int place = 1 + QUORUM_WORDS;
        finishing = false;
        goOn(Communicator.open(
                refine(CommunicatorOptions.newcomer(quorum, Integer.parseInt(words[place])), words, place)));
    }

    /** Its id, members, ranks of a node, address and secret. */
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
                reports.accept(new Report(
                        Report.Kind.RUNNING,
                        List.of(),
                        pair.calls().rightWords() + "|" + pair.calls().otherWords()));
                if (communicator.rank() != absent) {
                    pair.launch(communicator.rank() == deviant, prepared).accept(communicator.timeout());
                }
                communicator.barrier(); // whoever has ended hears what becomes of the others
            } catch (InvalidArgumentException refused) { // nothing has happened
                pair.launch(false, false).accept(communicator.timeout());
                throw refused;
            }
        }
    }
}
