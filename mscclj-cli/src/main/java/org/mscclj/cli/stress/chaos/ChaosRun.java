package org.mscclj.cli.stress.chaos;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.mscclj.cli.stress.fault.Rendezvous;

/** One case. Used once, by one thread. */
final class ChaosRun {
    private final ChaosCase drawn;
    private final Members members;
    private final Conversation conversation;
    private final Judge judge;
    private final Meetings meetings;
    private final Recovery recovery;
    private final List<Integer> all;
    private final List<Integer> left;

    ChaosRun(ChaosCase drawn, Members members, Transcript transcript, Meetings meetings) {
        this.drawn = drawn;
        this.members = members;
        this.meetings = meetings;
        this.conversation = new Conversation(members, transcript);
        this.judge = new Judge(conversation, transcript);
        this.recovery = new Recovery(drawn, members, conversation, judge, meetings);
        this.all = IntStream.range(0, drawn.ranks()).boxed().toList();
        this.left = drawn.left();
    }

    /**
     * Makes it.
     *
     * @throws IllegalStateException if it cannot go on
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
        try (Rendezvous rendezvous = meetings.of(drawn.ranks(), drawn.ranksPerNode())) {
            come.forEach(rank -> conversation.tell(rank, Conversation.ANNOUNCED + rendezvous.opening(rank)));
            if (come.contains(first)) {
                conversation.awaitAnnouncement(first);
            }
            long since = harm();
            left.stream()
                    .filter(rank -> !come.contains(rank))
                    .forEach(rank -> conversation.tell(rank, rendezvous.opening(rank)));
            Map<Integer, Said> said = conversation.hear(left);
            judge.ends(drawn.kind(), said, since, all, all);
            judge.feel(drawn.kind(), said, all);
            if (said.values().stream().allMatch(Said::isDone)) {
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
        try (Rendezvous rendezvous = meetings.of(drawn.ranks(), drawn.ranksPerNode())) {
            all.forEach(rank -> conversation.tell(rank, rendezvous.opening(rank)));
            conversation.awaitDone(all);
        }
    }

    private void operation(String how) {
        open();
        conversation.tellAll(all, how + "repeat " + drawn.operation() + " " + drawn.count());
        conversation.awaitAnnouncement(drawn.harmed().getFirst());
        long since = harm();
        judge.ends(drawn.kind(), conversation.hear(left), since, all, all);
        recovery.run();
    }

    private void closing() {
        open();
        conversation.tellAll(all, "sum");
        conversation.awaitGroup(all);
        conversation.tellAll(all, Conversation.ANNOUNCED + "close");
        conversation.awaitAnnouncement(drawn.harmed().getFirst());
        long since = harm();
        judge.ends(drawn.kind(), conversation.hear(left), since, all, all);
        recovery.open();
    }

    /** Harms those whom the case says, when it says; returns when that was. */
    private long harm() {
        LockSupport.parkNanos((long) (drawn.millis() * TimeUnit.MILLISECONDS.toNanos(1)));
        for (int rank : drawn.harmed()) {
            members.harm(rank, drawn.harm());
            judge.harmed(rank, drawn.harm());
        }
        return System.nanoTime();
    }
}
