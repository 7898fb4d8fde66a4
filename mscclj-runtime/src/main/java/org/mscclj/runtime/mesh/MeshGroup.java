package org.mscclj.runtime.mesh;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.mscclj.api.error.BackendException;
import org.mscclj.runtime.agreement.Stand;
import org.mscclj.runtime.control.ControlInbox;
import org.mscclj.runtime.control.Delivery;
import org.mscclj.runtime.control.InboxControlPlane;
import org.mscclj.runtime.control.Message;
import org.mscclj.runtime.control.Nodes;
import org.mscclj.runtime.control.Topic;
import org.mscclj.spi.engine.AbortCause;
import org.mscclj.spi.engine.AbortFlag;

/**
 * One communicator's share of the mesh, on one rank: its control plane and its abort word, which reaches all members.
 * Every member that sees the word set passes it on, so that it arrives even if the first member ends at once. Safe for
 * use by several threads.
 */
public final class MeshGroup {
    /**
     * Maximum number of frames that are kept before this rank opens the communicator. A communicator's ranks open it
     * within one call, in which each sends a few frames to each.
     */
    private static final int MAX_EARLY = 1 << 16;

    private final Mesh mesh;
    private final String id;
    private final AbortFlag abort = new AbortFlag();
    private final ControlInbox inbox = new ControlInbox();

    /** The ranks of the mesh, in the communicator's order; empty until this rank has opened it. */
    private volatile List<Integer> members = List.of();

    /** Ranks that have reported a loss that this rank has not seen itself, by the lost rank. */
    private final Map<Integer, Integer> witnesses = new HashMap<>();

    private final Set<Integer> lostMembers = new HashSet<>();
    /** Frames that arrived before this rank opened the communicator, in order. */
    private final List<Early> early = new ArrayList<>();

    private boolean departed;
    private boolean passedOn;

    private record Early(int peer, MeshFrame.OfGroup frame) {}

    MeshGroup(Mesh mesh, String id) {
        this.mesh = mesh;
        this.id = id;
    }

    void open(List<Integer> ranks) {
        abort.whenSet(this::passOn);
        Map<Integer, String> malformed = new HashMap<>();
        synchronized (this) {
            members = ranks;
            for (Early said : List.copyOf(early)) {
                try {
                    take(said.peer(), said.frame());
                } catch (BackendException e) {
                    malformed.putIfAbsent(said.peer(), "its control connection broke: " + e.getMessage());
                }
            }
            early.clear();
        }
        malformed.forEach(mesh::lost);
    }

    /** Returns the id, which distinguishes this communicator from others of the mesh. */
    public String id() {
        return id;
    }

    /** Returns its abort word. */
    public AbortFlag abort() {
        return abort;
    }

    /** Returns the ranks of the mesh, in the communicator's order. */
    public List<Integer> members() {
        return members;
    }

    /** Returns this rank in the communicator. */
    public int rank() {
        return members.indexOf(mesh.rank());
    }

    /**
     * Creates this rank's control plane. Must be called once.
     *
     * @param nodes nodes of the members
     */
    public InboxControlPlane controlPlane(Nodes nodes) {
        return new InboxControlPlane(rank(), nodes, mesh.timeout(), abort, inbox, new MeshDelivery());
    }

    /**
     * Receives a frame of a peer about this communicator. A frame that arrives before this rank has opened the
     * communicator is kept until then.
     *
     * @param peer the rank of the mesh at the other end of the connection
     * @throws BackendException if the frame names another rank as its sender, or ranks that do not exist
     */
    void received(int peer, MeshFrame.OfGroup frame) {
        synchronized (this) { // held while frames are taken, so that their order is kept
            if (members.isEmpty()) {
                if (early.size() == MAX_EARLY) {
                    throw new BackendException(
                            "more than " + MAX_EARLY + " frames came about communicator " + id
                                    + ", which this rank has not opened",
                            new IOException("too many frames"));
                }
                early.add(new Early(peer, frame));
                return;
            }
        }
        take(peer, frame);
    }

    private void take(int peer, MeshFrame.OfGroup frame) {
        requireOwn(peer, frame);
        switch (frame) {
            case MeshFrame.Contribution f -> inbox.contribute(f.number(), f.from(), f.topic(), new Message(f.bytes()));
            case MeshFrame.Withdrawal f -> inbox.withdraw(f.number(), f.from());
            case MeshFrame.Message f -> inbox.send(f.from(), f.topic(), f.bytes());
            case MeshFrame.LaunchQuestion f -> answer(f);
            case MeshFrame.LaunchAnswer f -> inbox.launchCounts().answered(f.question(), f.from(), f.report());
            case MeshFrame.Abort f -> abort.set(f.reason());
            case MeshFrame.Failure f -> abort.fail(f.reason());
            case MeshFrame.Expiry f -> abort.expire(f.reason(), f.missing());
            case MeshFrame.Loss f -> lost(f);
            case MeshFrame.Standing f -> inbox.stands().heard(f.from(), f.stand(), f.question(), f.answer());
            case MeshFrame.Departure f -> {
                inbox.depart(f.from(), f.launches());
                forgetIfOver();
            }
        }
    }

    /** Requires that a rank sends frames only for itself: otherwise one rank could have any other declared lost. */
    private void requireOwn(int peer, MeshFrame.OfGroup frame) {
        int from = members.indexOf(peer);
        if (from < 0 || frame.from() != from) {
            throw malformed(peer, "from", frame.from(), from < 0 ? "none, as it is no member" : Integer.toString(from));
        }
        switch (frame) {
            case MeshFrame.Loss f -> {
                requireMember(peer, "lost", f.lost());
                requireMember(peer, "witness", f.witness());
                if (f.lost() == f.witness() && f.lost() != from) {
                    throw malformed(
                            peer,
                            "witness",
                            f.witness(),
                            "another rank than the lost one, unless that one says itself that it takes no part");
                }
            }
            case MeshFrame.LaunchAnswer f -> {
                f.report().awaited().forEach(rank -> requireMember(peer, "awaited", rank));
                f.report().callAwaits().forEach(rank -> requireMember(peer, "callAwaits", rank));
            }
            case MeshFrame.Standing f -> f.stand().excluded().forEach(rank -> requireMember(peer, "excluded", rank));
            case MeshFrame.Expiry f -> f.missing().forEach(rank -> requireMember(peer, "missing", rank));
            default -> {}
        }
    }

    private void requireMember(int peer, String field, int rank) {
        if (rank < 0 || rank >= members.size()) {
            throw malformed(peer, field, rank, "0 to " + (members.size() - 1));
        }
    }

    private BackendException malformed(int peer, String field, int rank, String allowed) {
        return new BackendException(
                "rank " + peer + " sent a frame about communicator " + id + " whose field " + field + " is rank " + rank
                        + "; allowed: " + allowed,
                new IOException("a malformed frame"));
    }

    /**
     * Handles a loss. If the frame declares this rank lost, then for this rank the witness is the rank that cannot be
     * reached, whichever rank has sent the frame.
     */
    private void lost(MeshFrame.Loss told) {
        if (told.lost() != rank()) {
            if (told.witness() != told.lost()) { // else it has given up; this rank is a witness of that
                synchronized (this) {
                    witnesses.putIfAbsent(told.lost(), told.witness());
                }
            }
            abort.lose(told.lost(), told.how());
        } else {
            String who = told.witness() == told.from() ? "it says" : "rank " + told.from() + " says";
            abort.lose(told.witness(), who + " that it has lost this rank: " + told.how());
        }
    }

    private void answer(MeshFrame.LaunchQuestion asked) {
        if (!members.isEmpty()) { // before this rank has opened it, no rank can have launched
            MeshFrame answer = new MeshFrame.LaunchAnswer(
                    id, rank(), asked.question(), inbox.launchCounts().own(asked.sequence()));
            mesh.send(members.get(asked.from()), MeshFrame.encode(answer));
        }
    }

    /** Marks a rank of the mesh as lost. Members that have closed this communicator before are not lost for it. */
    void lost(int meshRank, String how) {
        int member = members.indexOf(meshRank);
        if (member < 0) {
            return;
        }
        synchronized (this) {
            lostMembers.add(member);
        }
        if (!inbox.departed().contains(member)) {
            inbox.stands().lost(member, how);
            abort.lose(member, how);
        }
        forgetIfOver();
    }

    private synchronized void passOn() {
        if (!departed && !passedOn) { // after a departure, the frame would open the communicator anew
            // on ranks that have forgotten it
            passedOn = true;
            String reason = abort.reason().orElse("no reason given");
            toOthers(endedBy(reason));
        }
    }

    private synchronized MeshFrame endedBy(String reason) {
        return switch (abort.cause().orElse(AbortCause.REQUESTED)) {
            case RANK_LOST -> {
                int lost = abort.lostRank().orElseThrow();
                yield new MeshFrame.Loss(id, rank(), lost, witnesses.getOrDefault(lost, rank()), reason);
            }
            case LATE ->
                new MeshFrame.Expiry(id, rank(), reason, abort.missingRanks().orElse(List.of()));
            case FAILED -> new MeshFrame.Failure(id, rank(), reason);
            case REQUESTED -> new MeshFrame.Abort(id, rank(), reason);
        };
    }

    private void toOthers(MeshFrame frame) {
        byte[] bytes = MeshFrame.encode(frame);
        for (int member : members) {
            if (member != mesh.rank()) {
                mesh.send(member, bytes);
            }
        }
    }

    /** Notifies the other ranks that this rank has closed the communicator and no longer accesses their memory. */
    public void depart() {
        synchronized (this) {
            if (abort.isSet()) {
                passOn(); // first, or ranks still at work would take the departure for the reason
            }
            departed = true;
            toOthers(new MeshFrame.Departure(
                    id, rank(), inbox.launchCounts().own(0).launches()));
        }
        forgetIfOver();
    }

    /**
     * Waits until all other ranks have departed too, or the communicator is aborted.
     *
     * @return whether all have departed
     */
    public boolean awaitDepartures(Duration timeout) {
        List<Integer> others = IntStream.range(0, members.size())
                .filter(member -> member != rank())
                .boxed()
                .toList();
        return inbox.awaitDepartures(others, timeout, abort);
    }

    /** Forgets this communicator when all ranks have departed: no frame about it arrives any more. */
    private void forgetIfOver() {
        List<Integer> silent = new ArrayList<>(inbox.departed());
        synchronized (this) {
            if (!departed) {
                return;
            }
            silent.addAll(lostMembers);
        }
        if (new HashSet<>(silent).size() >= members.size() - 1) {
            mesh.forget(this);
        }
    }

    private final class MeshDelivery implements Delivery {
        @Override
        public void contribute(int to, long number, Topic topic, Message message) {
            if (to == rank()) {
                inbox.contribute(number, to, topic, message);
            } else {
                send(to, new MeshFrame.Contribution(id, rank(), number, topic, message.bytes()));
            }
        }

        @Override
        public void withdraw(int to, long number) {
            if (to == rank()) {
                inbox.withdraw(number, to);
            } else {
                send(to, new MeshFrame.Withdrawal(id, rank(), number));
            }
        }

        @Override
        public void send(int to, Topic topic, byte[] message) {
            if (to == rank()) {
                inbox.send(to, topic, message);
            } else {
                send(to, new MeshFrame.Message(id, rank(), topic, message));
            }
        }

        @Override
        public void askLaunches(int to, long question, long sequence) {
            send(to, new MeshFrame.LaunchQuestion(id, rank(), question, sequence));
        }

        @Override
        public void tell(int to, Stand stand, long question, long answer) {
            send(to, new MeshFrame.Standing(id, rank(), stand, question, answer));
        }

        private void send(int to, MeshFrame frame) {
            mesh.send(members.get(to), MeshFrame.encode(frame));
        }
    }
}
