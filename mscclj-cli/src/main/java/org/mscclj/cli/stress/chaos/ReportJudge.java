package org.mscclj.cli.stress.chaos;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Compares the reports of ranks with the faults of other ranks. Used by one thread. */
final class ReportJudge {
    private final Conversation conversation;
    private final Transcript transcript;
    private final Set<Integer> harmed = new TreeSet<>();

    ReportJudge(Conversation conversation, Transcript transcript) {
        this.conversation = conversation;
        this.transcript = transcript;
    }

    /** Adds a fault of a rank. */
    void harmed(int rank, ProcessFault harm) {
        harmed.add(rank);
        transcript.add(harm.signal() + " of rank " + rank);
    }

    /**
     * Judges the ends of calls.
     *
     * @param kind the kind of call
     * @param said the report of each rank
     * @param since the time of the fault
     * @param before the ranks of the communicator in which the call was made
     * @param after the ranks of the communicator that the call has formed, for ranks that have it
     */
    void ends(String kind, Map<Integer, CallEnd> said, long since, List<Integer> before, List<Integer> after) {
        said.forEach((rank, end) -> {
            if (end.isDone()) {
                transcript.add(kind + ": the call of rank " + rank + " has succeeded");
            } else {
                transcript.judge(kind, rank, end, since, naming(end.formed().isPresent() ? after : before));
            }
        });
    }

    /**
     * Makes ranks whose calls have succeeded repeat barriers until they detect the fault, which came too late for their
     * calls.
     *
     * @param ranks the ranks of their communicator
     */
    void awaitDetection(String kind, Map<Integer, CallEnd> said, List<Integer> ranks) {
        List<Integer> done = said.entrySet().stream()
                .filter(end -> end.getValue().isDone())
                .map(Map.Entry::getKey)
                .toList();
        long since = System.nanoTime();
        conversation.sendAll(done, "repeat barrier 1");
        conversation
                .awaitEnds(done)
                .forEach((rank, end) -> transcript.judge(kind + ", after it", rank, end, since, naming(ranks)));
    }

    /** Translates harmed ranks to their numbers among these ranks. */
    private Naming naming(List<Integer> ranks) {
        return new Naming(
                harmed.stream().map(ranks::indexOf).filter(rank -> rank >= 0).toList());
    }
}
