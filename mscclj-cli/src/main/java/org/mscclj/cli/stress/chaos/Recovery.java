package org.mscclj.cli.stress.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.mscclj.api.Quorum;
import org.mscclj.cli.stress.fault.TestRendezvous;
import org.mscclj.spi.waiting.Backoff;

/**
 * The recovery of the survivors, which must continue in one group. One more rank may be harmed meanwhile. Used by one
 * thread.
 */
final class Recovery {
    private final ChaosCase drawn;
    private final Members members;
    private final Conversation conversation;
    private final ReportJudge judge;
    private final RendezvousFactory meetings;
    private final List<Integer> all;
    private final List<Integer> left;

    Recovery(
            ChaosCase drawn,
            Members members,
            Conversation conversation,
            ReportJudge judge,
            RendezvousFactory meetings) {
        this.drawn = drawn;
        this.members = members;
        this.conversation = conversation;
        this.judge = judge;
        this.meetings = meetings;
        this.all = IntStream.range(0, drawn.ranks()).boxed().toList();
        this.left = drawn.left();
    }

    /** Recovers survivors of a communicator: they shrink it, or reconfigure it with newcomers. */
    void run() {
        if (drawn.reconfigures()) {
            reconfigure();
        } else {
            shrink();
        }
    }

    /** Recovers survivors that have no communicator: they open one. */
    void open() {
        try (TestRendezvous rendezvous = meetings.of(left.size(), drawn.isOnOneNode() ? left.size() : 1)) {
            left.forEach(rank -> conversation.send(rank, rendezvous.opening(left.indexOf(rank))));
            conversation.awaitDone(left);
        }
        conversation.sendAll(left, "sum");
        continueIn(left);
    }

    private void continueIn(List<Integer> ranks) {
        conversation.awaitGroup(ranks);
        conversation.close(ranks);
    }

    private void shrink() {
        conversation.sendAll(left, Conversation.ANNOUNCED + "shrink " + list(drawn.harmed()));
        if (drawn.again().isEmpty()) {
            continueIn(left);
            return;
        }
        int again = drawn.again().orElseThrow().rank();
        List<Integer> rest = left.stream().filter(rank -> rank != again).toList();
        List<Integer> formed = harmAgain(rest, left);
        if (formed.isEmpty()) {
            conversation.sendAll(rest, "shrink " + list(drawn.harmed()) + "," + again);
        } else if (formed.equals(rest)) {
            conversation.sendAll(rest, "shrink " + left.indexOf(again));
        } else {
            throw new IllegalStateException("ranks " + formed + " have another communicator, and the others of ranks "
                    + rest + " have none, so that these cannot continue in one group");
        }
        continueIn(rest);
    }

    private void reconfigure() {
        List<Integer> old = all.stream()
                .map(rank -> left.contains(rank) ? rank : Integer.valueOf(Quorum.NEWCOMER))
                .toList();
        drawn.harmed().forEach(members::replace);
        try (TestRendezvous rendezvous = meetings.ofQuorum(drawn.ranks(), drawn.ranksPerNode())) {
            send(rendezvous, old, Conversation.ANNOUNCED);
            if (drawn.again().isEmpty()) {
                continueIn(all);
                return;
            }
            int again = drawn.again().orElseThrow().rank();
            List<Integer> formed =
                    harmAgain(all.stream().filter(rank -> rank != again).toList(), all);
            List<Integer> next = new ArrayList<>(old);
            formed.forEach(rank -> next.set(rank, rank)); // all others keep their ranks
            next.set(again, Quorum.NEWCOMER);
            members.replace(again);
            reconfigure(next);
        }
    }

    private void reconfigure(List<Integer> old) {
        try (TestRendezvous rendezvous = meetings.ofQuorum(drawn.ranks(), drawn.ranksPerNode())) {
            send(rendezvous, old, "");
            continueIn(all);
        }
    }

    /** Sends commands to all members of a quorum. */
    private void send(TestRendezvous rendezvous, List<Integer> old, String how) {
        for (int rank : all) {
            boolean isNew = old.get(rank) == Quorum.NEWCOMER;
            conversation.send(rank, how + (isNew ? rendezvous.joining(old, rank) : rendezvous.growing(old)));
        }
    }

    /**
     * Harms one more rank during recovery.
     *
     * @param rest the survivors after that
     * @param next the ranks of the communicator that they are forming
     * @return the ranks that have that communicator
     */
    private List<Integer> harmAgain(List<Integer> rest, List<Integer> next) {
        ChaosCase.Again again = drawn.again().orElseThrow();
        String kind = "again, in " + (drawn.reconfigures() ? "reconfigure" : "shrink") + ", "
                + again.harm().signal();
        conversation.awaitAnnouncement(again.rank());
        Backoff.delay((long) (again.millis() * TimeUnit.MILLISECONDS.toNanos(1)));
        members.harm(again.rank(), again.harm());
        long since = System.nanoTime();
        judge.harmed(again.rank(), again.harm());
        Map<Integer, CallEnd> said = conversation.awaitEnds(rest);
        judge.ends(kind, said, since, all, next);
        judge.awaitDetection(kind, said, next);
        return said.entrySet().stream()
                .filter(end -> end.getValue().formed().isPresent())
                .map(Map.Entry::getKey)
                .toList();
    }

    private static String list(List<Integer> ranks) {
        return ranks.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
