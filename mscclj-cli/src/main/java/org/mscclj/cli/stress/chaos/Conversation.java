package org.mscclj.cli.stress.chaos;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.mscclj.cli.stress.fault.RankProcess;
import org.mscclj.cli.stress.rank.Report;

/** Tells the ranks of a case what to do, and hears what they say. Used by one thread. */
final class Conversation {
    /** Makes a rank say that it begins, in front of what it is told. */
    static final String ANNOUNCED = "announced ";

    private final Members members;
    private final Transcript transcript;

    Conversation(Members members, Transcript transcript) {
        this.members = members;
        this.transcript = transcript;
    }

    void tell(int rank, String line) {
        members.rank(rank).tell(line);
    }

    void tellAll(List<Integer> ranks, String line) {
        ranks.forEach(rank -> tell(rank, line));
    }

    /** Waits until a rank is about to make its call, or has begun. */
    void awaitAnnouncement(int rank) {
        RankProcess.Heard _ = members.rank(rank).await(Report.Kind.RUNNING, Members.PATIENCE);
    }

    /**
     * Waits until the calls of ranks have ended.
     *
     * @throws IllegalStateException if one does not end
     */
    Map<Integer, Said> hear(List<Integer> ranks) {
        Map<Integer, Said> said = new TreeMap<>();
        ranks.forEach(rank -> hear(rank).ifPresent(end -> said.put(rank, end)));
        if (said.size() < ranks.size()) {
            throw new IllegalStateException("the calls of ranks "
                    + ranks.stream().filter(rank -> !said.containsKey(rank)).toList() + " have not ended; others say "
                    + said);
        }
        return said;
    }

    private Optional<Said> hear(int rank) {
        RankProcess process = members.rank(rank);
        Optional<List<Integer>> formed = Optional.empty();
        while (true) {
            Optional<RankProcess.Heard> heard = process.poll(Members.PATIENCE);
            if (heard.isEmpty()) {
                transcript.wrong("rank " + rank + " is silent: " + stacks(process));
                return Optional.empty();
            }
            Report report = heard.orElseThrow().report();
            switch (report.kind()) {
                case RUNNING -> {}
                case FORMED -> formed = Optional.of(report.ranks());
                default -> {
                    return Optional.of(new Said(report, heard.orElseThrow().nanos(), formed));
                }
            }
        }
    }

    private static String stacks(RankProcess process) {
        if (!process.isAlive()) {
            return process.toString();
        }
        process.tell("stacks");
        return process.poll(Members.PATIENCE)
                .map(heard -> heard.report().message())
                .orElseGet(process::toString);
    }

    /** Waits until ranks have done as they were told. */
    void awaitDone(List<Integer> ranks) {
        hear(ranks).forEach((rank, said) -> {
            if (!said.isDone()) {
                throw new IllegalStateException("rank " + rank + " cannot do as it was told: " + said.report());
            }
        });
    }

    /** Waits until ranks have a communicator of themselves, in their order, and have added up right in it. */
    void awaitGroup(List<Integer> ranks) {
        hear(ranks).forEach((rank, said) -> {
            List<Integer> right = List.of(ranks.indexOf(rank), ranks.size());
            if (!said.isDone() || !said.formed().equals(Optional.of(right))) {
                transcript.wrong("rank " + rank + " must be rank " + right.getFirst() + " of " + right.getLast()
                        + ", is " + said.formed() + ", and says " + said.report());
            }
        });
        transcript.requireRight();
        transcript.add("ranks " + ranks + " go on in one group");
    }

    void close(List<Integer> ranks) {
        tellAll(ranks, "close");
        awaitDone(ranks);
    }
}
