package org.mscclj.cli.stress.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.mscclj.api.Quorum;
import org.mscclj.cli.stress.fault.Rendezvous;

/** The ranks that are left go on in one group. One more may be harmed while they form it. Used by one thread. */
final class Recovery {
    private final ChaosCase drawn;
    private final Members members;
    private final Conversation conversation;
    private final Judge judge;
    private final Meetings meetings;
    private final List<Integer> all;
    private final List<Integer> left;

    Recovery(ChaosCase drawn, Members members, Conversation conversation, Judge judge, Meetings meetings) {
        this.drawn = drawn;
        this.members = members;
        this.conversation = conversation;
        this.judge = judge;
        this.meetings = meetings;
        this.all = IntStream.range(0, drawn.ranks()).boxed().toList();
        this.left = drawn.left();
    }

    /**
     * The ranks that are left have a communicator that has lost the others. They go on without these, or with newcomers
     * in their places.
     */
    void run() {
        if (drawn.reconfigures()) {
            reconfigure();
        } else {
            shrink();
        }
    }

    /** The ranks that are left have no communicator, and open one. */
    void open() {
        try (Rendezvous rendezvous = meetings.of(left.size(), drawn.isOnOneNode() ? left.size() : 1)) {
            left.forEach(rank -> conversation.tell(rank, rendezvous.opening(left.indexOf(rank))));
            conversation.awaitDone(left);
        }
        conversation.tellAll(left, "sum");
        goOn(left);
    }

    private void goOn(List<Integer> ranks) {
        conversation.awaitGroup(ranks);
        conversation.close(ranks);
    }

    private void shrink() {
        conversation.tellAll(left, Conversation.ANNOUNCED + "shrink " + words(drawn.harmed()));
        if (drawn.again().isEmpty()) {
            goOn(left);
            return;
        }
        int again = drawn.again().orElseThrow().rank();
        List<Integer> rest = left.stream().filter(rank -> rank != again).toList();
        List<Integer> formed = harmAgain(rest, left);
        if (formed.isEmpty()) {
            conversation.tellAll(rest, "shrink " + words(drawn.harmed()) + "," + again);
        } else if (formed.equals(rest)) {
            conversation.tellAll(rest, "shrink " + left.indexOf(again));
        } else {
            throw new IllegalStateException("ranks " + formed + " have another communicator, and the others of ranks "
                    + rest + " have none, so that these cannot go on in one group");
        }
        goOn(rest);
    }

    private void reconfigure() {
        List<Integer> old = all.stream()
                .map(rank -> left.contains(rank) ? rank : Integer.valueOf(Quorum.NEWCOMER))
                .toList();
        drawn.harmed().forEach(members::replace);
        try (Rendezvous rendezvous = meetings.ofQuorum(drawn.ranks(), drawn.ranksPerNode())) {
            tell(rendezvous, old, Conversation.ANNOUNCED);
            if (drawn.again().isEmpty()) {
                goOn(all);
                return;
            }
            int again = drawn.again().orElseThrow().rank();
            List<Integer> formed =
                    harmAgain(all.stream().filter(rank -> rank != again).toList(), all);
            List<Integer> next = new ArrayList<>(old);
            formed.forEach(rank -> next.set(rank, rank)); // all others are what they were before
            next.set(again, Quorum.NEWCOMER);
            members.replace(again);
            reconfigure(next);
        }
    }

    private void reconfigure(List<Integer> old) {
        try (Rendezvous rendezvous = meetings.ofQuorum(drawn.ranks(), drawn.ranksPerNode())) {
            tell(rendezvous, old, "");
            goOn(all);
        }
    }

    /** Tells all members of a quorum. */
    private void tell(Rendezvous rendezvous, List<Integer> old, String how) {
        for (int rank : all) {
            boolean isNew = old.get(rank) == Quorum.NEWCOMER;
            conversation.tell(rank, how + (isNew ? rendezvous.joining(old, rank) : rendezvous.growing(old)));
        }
    }

    /**
     * Harms one more rank while they recover.
     *
     * @param rest those that are left then
     * @param next the ranks of the communicator that they are about to have
     * @return those that have got that communicator
     */
    private List<Integer> harmAgain(List<Integer> rest, List<Integer> next) {
        ChaosCase.Again again = drawn.again().orElseThrow();
        String kind = "again, in " + (drawn.reconfigures() ? "reconfigure" : "shrink") + ", "
                + again.harm().signal();
        conversation.awaitAnnouncement(again.rank());
        LockSupport.parkNanos((long) (again.millis() * TimeUnit.MILLISECONDS.toNanos(1)));
        members.harm(again.rank(), again.harm());
        long since = System.nanoTime();
        judge.harmed(again.rank(), again.harm());
        Map<Integer, Said> said = conversation.hear(rest);
        judge.ends(kind, said, since, all, next);
        judge.feel(kind, said, next);
        return said.entrySet().stream()
                .filter(end -> end.getValue().formed().isPresent())
                .map(Map.Entry::getKey)
                .toList();
    }

    private static String words(List<Integer> ranks) {
        return ranks.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
