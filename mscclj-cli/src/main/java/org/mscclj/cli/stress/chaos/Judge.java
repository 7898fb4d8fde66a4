package org.mscclj.cli.stress.chaos;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Compares what ranks say with what was done to others. Used by one thread. */
final class Judge {
    private final Conversation conversation;
    private final Transcript transcript;
    private final Set<Integer> harmed = new TreeSet<>();

    Judge(Conversation conversation, Transcript transcript) {
        this.conversation = conversation;
        this.transcript = transcript;
    }

    /** Something was done to a rank. */
    void harmed(int rank, Harm harm) {
        harmed.add(rank);
        transcript.add(harm.signal() + " of rank " + rank);
    }

    /**
     * Judges how calls have ended.
     *
     * @param kind of what was going on
     * @param said of each rank
     * @param since when harm was done
     * @param before the ranks of the communicator in which the call was made
     * @param after the ranks of the communicator that the call has formed, for ranks that have got it
     */
    void ends(String kind, Map<Integer, Said> said, long since, List<Integer> before, List<Integer> after) {
        said.forEach((rank, end) -> {
            if (end.isDone()) {
                transcript.add(kind + ": the call of rank " + rank + " has ended well");
            } else {
                transcript.judge(kind, rank, end, since, naming(end.formed().isPresent() ? after : before));
            }
        });
    }

    /**
     * Lets ranks whose calls have ended well make barriers until they notice the harm, which came too late for their
     * calls.
     *
     * @param ranks those of their communicator
     */
    void feel(String kind, Map<Integer, Said> said, List<Integer> ranks) {
        List<Integer> done = said.entrySet().stream()
                .filter(end -> end.getValue().isDone())
                .map(Map.Entry::getKey)
                .toList();
        long since = System.nanoTime();
        conversation.tellAll(done, "repeat barrier 1");
        conversation
                .hear(done)
                .forEach((rank, end) -> transcript.judge(kind + ", after it", rank, end, since, naming(ranks)));
    }

    /** With harmed ranks by their numbers among these. */
    private Naming naming(List<Integer> ranks) {
        return new Naming(
                harmed.stream().map(ranks::indexOf).filter(rank -> rank >= 0).toList());
    }
}
