package org.mscclj.cli.stress.rank;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;

/**
 * A report of a rank to the command that has started it: a line of fields that are separated by tabs.
 *
 * @param kind the kind of report
 * @param ranks the ranks that it names
 * @param message a description
 */
public record RankReport(Kind kind, List<Integer> ranks, String message) {
    private static final String START = "@mscclj\t";
    private static final String ALSO = "; and then: ";

    /** The kind of a report. */
    public enum Kind {
        /** The rank has executed its command. */
        DONE,
        /** The rank has completed an operation once and continues, or is about to make a call. */
        RUNNING,
        /**
         * The rank has another communicator, which it is about to test. The ranks are its own rank in it, and the
         * number of ranks.
         */
        FORMED,
        /** The stacks of its threads. */
        STACKS,
        /** A rank was lost. */
        LOST,
        /** An operation was late. */
        TIMEOUT,
        /** The communicator was aborted. */
        ABORTED,
        /** A call was rejected. */
        REFUSED,
        /** The rank's device or system has failed. */
        DEVICE,
        /** Another failure. */
        FAILED
    }

    /** Copies the list. */
    public RankReport {
        ranks = List.copyOf(ranks);
    }

    /** Creates a report without ranks and message. */
    static RankReport of(Kind kind) {
        return new RankReport(kind, List.of(), "");
    }

    /** Creates the report of an exception. */
    static RankReport of(Throwable e) {
        String message = e.getMessage() + suppressed(e);
        return switch (e) {
            case RankLostException lost -> new RankReport(Kind.LOST, List.of(lost.rank()), message);
            case OperationTimeoutException late -> new RankReport(Kind.TIMEOUT, late.missingRanks(), message);
            case AbortedException _ -> new RankReport(Kind.ABORTED, List.of(), message);
            case InvalidArgumentException _ -> new RankReport(Kind.REFUSED, List.of(), message);
            case BackendException _ -> new RankReport(Kind.DEVICE, List.of(), message);
            default -> new RankReport(Kind.FAILED, List.of(), e + suppressed(e));
        };
    }

    /** Returns suppressed failures, for example of closing buffers and operations. */
    private static String suppressed(Throwable e) {
        return Stream.of(e.getSuppressed()).map(also -> ALSO + also).collect(Collectors.joining());
    }

    /** Whether the report contains suppressed failures. */
    public boolean saysMore() {
        return message.contains(ALSO);
    }

    /** Returns the line. */
    String line() {
        return START
                + kind
                + '\t'
                + ranks.stream()
                        .map(String::valueOf)
                        .reduce((a, b) -> a + ' ' + b)
                        .orElse("")
                + '\t'
                + message.replaceAll("\\s+", " ");
    }

    /** Parses a line; empty if it is no report of a rank. */
    public static Optional<RankReport> parse(String line) {
        String[] words = line.startsWith(START) ? line.substring(START.length()).split("\t", -1) : new String[0];
        if (words.length != 3) {
            return Optional.empty();
        }
        List<Integer> ranks = words[1].isEmpty()
                ? List.of()
                : List.of(words[1].split(" ")).stream().map(Integer::valueOf).toList();
        return Optional.of(new RankReport(Kind.valueOf(words[0]), ranks, words[2]));
    }
}
