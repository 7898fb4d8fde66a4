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
 * What a rank says to the command that has started it: a line of words between tabs.
 *
 * @param kind what has happened
 * @param ranks those whom it is about
 * @param message why, in words
 */
public record Report(Kind kind, List<Integer> ranks, String message) {
    private static final String START = "@mscclj\t";
    private static final String ALSO = "; and then: ";

    /** What has happened. */
    public enum Kind {
        /** It has done what it was told. */
        DONE,
        /** It has made an operation once, and goes on; or it is about to make a call. */
        RUNNING,
        /**
         * It has another communicator, which it is about to try. The ranks are its own rank there, and the number of
         * ranks.
         */
        FORMED,
        /** Where its threads are. */
        STACKS,
        /** A rank was lost. */
        LOST,
        /** An operation was late. */
        TIMEOUT,
        /** The communicator was aborted. */
        ABORTED,
        /** A call was refused. */
        REFUSED,
        /** The rank's device has failed, or something else of its system. */
        DEVICE,
        /** Something else is wrong. */
        FAILED
    }

    /** Copies the list. */
    public Report {
        ranks = List.copyOf(ranks);
    }

    /** Nothing but that something has happened. */
    static Report of(Kind kind) {
        return new Report(kind, List.of(), "");
    }

    /** What an exception means. */
    static Report of(Throwable e) {
        String message = e.getMessage() + suppressed(e);
        return switch (e) {
            case RankLostException lost -> new Report(Kind.LOST, List.of(lost.rank()), message);
            case OperationTimeoutException late -> new Report(Kind.TIMEOUT, late.missingRanks(), message);
            case AbortedException _ -> new Report(Kind.ABORTED, List.of(), message);
            case InvalidArgumentException _ -> new Report(Kind.REFUSED, List.of(), message);
            case BackendException _ -> new Report(Kind.DEVICE, List.of(), message);
            default -> new Report(Kind.FAILED, List.of(), e + suppressed(e));
        };
    }

    /** What went wrong besides, when buffers and operations were closed for example. */
    private static String suppressed(Throwable e) {
        return Stream.of(e.getSuppressed()).map(also -> ALSO + also).collect(Collectors.joining());
    }

    /** Whether something went wrong besides what the report is about. */
    public boolean saysMore() {
        return message.contains(ALSO);
    }

    /** The line. */
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

    /** What a line says; empty if it was not said by a rank. */
    public static Optional<Report> parse(String line) {
        String[] words = line.startsWith(START) ? line.substring(START.length()).split("\t", -1) : new String[0];
        if (words.length != 3) {
            return Optional.empty();
        }
        List<Integer> ranks = words[1].isEmpty()
                ? List.of()
                : List.of(words[1].split(" ")).stream().map(Integer::valueOf).toList();
        return Optional.of(new Report(Kind.valueOf(words[0]), ranks, words[2]));
    }
}
