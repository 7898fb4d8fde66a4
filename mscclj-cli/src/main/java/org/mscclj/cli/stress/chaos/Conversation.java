package org.mscclj.cli.stress.chaos;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.mscclj.cli.stress.fault.ChildRank;
import org.mscclj.cli.stress.rank.RankReport;

/** Sends commands to the ranks of a case, and receives their reports. Used by one thread. */
final class Conversation {
    /** Prefix of a command that makes a rank report its start. */
    static final String ANNOUNCED = "announced ";

    private final Members members;
    private final Transcript transcript;

    Conversation(Members members, Transcript transcript) {
        this.members = members;
        this.transcript = transcript;
    }

    void send(int rank, String line) {
        members.rank(rank).send(line);
    }

    void sendAll(List<Integer> ranks, String line) {
        ranks.forEach(rank -> send(rank, line));
    }

    /** Waits until a rank is about to start its call, or has started. */
    void awaitAnnouncement(int rank) {
        ChildRank.ReceivedReport _ = members.rank(rank).await(RankReport.Kind.RUNNING, Members.STEP_TIMEOUT);
    }

    /**
     * Waits until the calls of ranks have ended.
     *
     * @throws IllegalStateException if one does not end
     */
    Map<Integer, CallEnd> awaitEnds(List<Integer> ranks) {
        Map<Integer, CallEnd> said = new TreeMap<>();
        ranks.forEach(rank -> awaitEnds(rank).ifPresent(end -> said.put(rank, end)));
        if (said.size() < ranks.size()) {
            throw new IllegalStateException("the calls of ranks "
                    + ranks.stream().filter(rank -> !said.containsKey(rank)).toList()
                    + " have not ended; others report "
                    + said);
        }
        return said;
    }

    private Optional<CallEnd> awaitEnds(int rank) {
        ChildRank process = members.rank(rank);
        Optional<List<Integer>> formed = Optional.empty();
        while (true) {
            Optional<ChildRank.ReceivedReport> heard = process.poll(Members.STEP_TIMEOUT);
            if (heard.isEmpty()) {
                transcript.wrong("rank " + rank + " is silent: " + stacks(process));
                return Optional.empty();
            }
            RankReport report = heard.orElseThrow().report();
            switch (report.kind()) {
                case RUNNING -> {}
                case FORMED -> formed = Optional.of(report.ranks());
                default -> {
                    return Optional.of(new CallEnd(report, heard.orElseThrow().nanos(), formed));
                }
            }
        }
    }

    private static String stacks(ChildRank process) {
        if (!process.isAlive()) {
            return process.toString();
        }
        process.send("stacks");
        return process.poll(Members.STEP_TIMEOUT)
                .map(heard -> heard.report().message())
                .orElseGet(process::toString);
    }

    /** Waits until ranks have executed their commands. */
    void awaitDone(List<Integer> ranks) {
        awaitEnds(ranks).forEach((rank, said) -> {
            if (!said.isDone()) {
                throw new IllegalStateException("rank " + rank + " cannot execute its command: " + said.report());
            }
        });
    }

    /** Waits until ranks have a communicator of exactly these ranks, in order, and a right allreduce in it. */
    void awaitGroup(List<Integer> ranks) {
        awaitEnds(ranks).forEach((rank, said) -> {
            List<Integer> right = List.of(ranks.indexOf(rank), ranks.size());
            if (!said.isDone() || !said.formed().equals(Optional.of(right))) {
                transcript.wrong("rank " + rank + " must be rank " + right.getFirst() + " of " + right.getLast()
                        + ", is " + said.formed() + ", and reports " + said.report());
            }
        });
        transcript.requireRight();
        transcript.add("ranks " + ranks + " continue in one group");
    }

    void close(List<Integer> ranks) {
        sendAll(ranks, "close");
        awaitDone(ranks);
    }
}
