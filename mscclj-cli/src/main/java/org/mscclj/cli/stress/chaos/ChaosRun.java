package org.mscclj.cli.stress.chaos;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.mscclj.cli.stress.fault.TestRendezvous;
import org.mscclj.spi.waiting.Backoff;

/** The execution of one case. Used once, by one thread. */
final class ChaosRun {
    private final ChaosCase drawn;
    private final Members members;
    private final Conversation conversation;
    private final ReportJudge judge;
    private final RendezvousFactory meetings;
    private final Recovery recovery;
    private final List<Integer> all;
    private final List<Integer> left;

    ChaosRun(ChaosCase drawn, Members members, Transcript transcript, RendezvousFactory meetings) {
        this.drawn = drawn;
        this.members = members;
        this.meetings = meetings;
        this.conversation = new Conversation(members, transcript);
        this.judge = new ReportJudge(conversation, transcript);
        this.recovery = new Recovery(drawn, members, conversation, judge, meetings);
        this.all = IntStream.range(0, drawn.ranks()).boxed().toList();
        this.left = drawn.left();
    }

    /**
     * Runs the case.
     *
     * @throws IllegalStateException if the case cannot continue
     */
    void run() {
        members.begin(drawn.ranks());
        switch (drawn.phase().course()) {
            case OPENING -> opening();
            case FIRST_CALL -> operation(Conversation.ANNOUNCED);
            case OPERATION -> operation("");
            case CLOSING -> closing();
        }
        members.end();
    }

    private void opening() {
        List<Integer> come = all.stream().filter(this::comesInTime).toList();
        int first = drawn.harmed().getFirst();
        try (TestRendezvous rendezvous = meetings.of(drawn.ranks(), drawn.ranksPerNode())) {
            come.forEach(rank -> conversation.send(rank, Conversation.ANNOUNCED + rendezvous.opening(rank)));
            if (come.contains(first)) {
                conversation.awaitAnnouncement(first);
            }
            long since = harm();
            left.stream()
                    .filter(rank -> !come.contains(rank))
                    .forEach(rank -> conversation.send(rank, rendezvous.opening(rank)));
            Map<Integer, CallEnd> said = conversation.awaitEnds(left);
            judge.ends(drawn.kind(), said, since, all, all);
            judge.awaitDetection(drawn.kind(), said, all);
            if (said.values().stream().allMatch(CallEnd::isDone)) {
                recovery.run();
            } else {
                conversation.close(left);
                recovery.open();
            }
        }
    }

    private boolean comesInTime(int rank) {
        return switch (drawn.phase()) {
            case BEFORE_RENDEZVOUS -> drawn.comes() || left.contains(rank);
            case RENDEZVOUS -> rank != drawn.late();
            default -> true;
        };
    }

    private void open() {
        try (TestRendezvous rendezvous = meetings.of(drawn.ranks(), drawn.ranksPerNode())) {
            all.forEach(rank -> conversation.send(rank, rendezvous.opening(rank)));
            conversation.awaitDone(all);
        }
    }

    private void operation(String how) {
        open();
        conversation.sendAll(all, how + "repeat " + drawn.operation() + " " + drawn.count());
        conversation.awaitAnnouncement(drawn.harmed().getFirst());
        long since = harm();
        judge.ends(drawn.kind(), conversation.awaitEnds(left), since, all, all);
        recovery.run();
    }

    private void closing() {
        open();
        conversation.sendAll(all, "sum");
        conversation.awaitGroup(all);
        conversation.sendAll(all, Conversation.ANNOUNCED + "close");
        conversation.awaitAnnouncement(drawn.harmed().getFirst());
        long since = harm();
        judge.ends(drawn.kind(), conversation.awaitEnds(left), since, all, all);
        recovery.open();
    }

    /** Harms the ranks of the case at its time; returns the time of the fault. */
    private long harm() {
        Backoff.delay((long) (drawn.millis() * TimeUnit.MILLISECONDS.toNanos(1)));
        for (int rank : drawn.harmed()) {
            members.harm(rank, drawn.harm());
            judge.harmed(rank, drawn.harm());
        }
        return System.nanoTime();
    }
}
