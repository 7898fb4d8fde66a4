package org.mscclj.api;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.mscclj.api.bootstrap.Rendezvous;
import org.mscclj.api.bootstrap.RendezvousAddress;
import org.mscclj.api.bootstrap.Store;
import org.mscclj.api.check.GivenList;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * A new membership of a group of processes: the ranks that stay, the newcomers, and their rendezvous. The application
 * decides it, for example by its launcher or by a rule that all ranks follow, and passes it to all members. Survivors
 * pass it to {@link Communicator#reconfigure}, newcomers open a communicator with {@link CommunicatorOptions#newcomer}.
 * Immutable; must be equal on all members.
 *
 * <p>A quorum is used once, whether its communicator forms or not. Another attempt needs another quorum, with an id of
 * its own.
 *
 * @param id unique among all quorums of the group, earlier and later; also the new communicator's name
 * @param members for each rank of the new communicator its rank in the old one, or {@link #NEWCOMER}
 * @param ranksPerNode ranks on each node, if ranks are numbered node by node; empty if the ranks find out which of them
 *     share a host
 * @param meeting the rendezvous of the members: a store, or the address of the new rank 0
 */
public record Quorum(String id, List<Integer> members, Optional<Integer> ranksPerNode, Rendezvous meeting) {
    /** Stands for a process that was not in the old communicator. */
    public static final int NEWCOMER = -1;

    /** Greatest length of an id, in characters. */
    public static final int MAX_ID = 200;

    /**
     * Checks id and members.
     *
     * @throws InvalidArgumentException if the id is blank or too long, there are no members, or a rank appears twice or
     *     is negative
     */
    public Quorum {
        Objects.requireNonNull(id, "id");
        members = GivenList.copy(members, "members");
        Objects.requireNonNull(ranksPerNode, "ranksPerNode");
        Objects.requireNonNull(meeting, "meeting");
        if (id.isBlank() || id.length() > MAX_ID) {
            throw InvalidArgumentException.of(
                    "id of a quorum", '"' + id + '"', "1 to " + MAX_ID + " characters, a UUID for example");
        }
        List<Integer> survivors =
                members.stream().filter(member -> member != NEWCOMER).toList();
        if (members.isEmpty() || new HashSet<>(survivors).size() < survivors.size()) {
            throw InvalidArgumentException.of("members of quorum " + id, members, "one or more, each old rank once");
        }
        if (survivors.stream().anyMatch(member -> member < 0)) {
            throw InvalidArgumentException.of(
                    "members of quorum " + id, members, "old ranks from 0 on, and " + NEWCOMER + " for newcomers");
        }
    }

    /** A quorum of survivors in the given order, then newcomers; without a rendezvous yet. */
    public static Quorum of(String id, List<Integer> survivors, int newcomers) {
        if (newcomers < 0) {
            throw InvalidArgumentException.of("number of newcomers of quorum " + id, newcomers, "0 or more");
        }
        List<Integer> members = new ArrayList<>(GivenList.copy(survivors, "survivors"));
        IntStream.range(0, newcomers).forEach(_ -> members.add(NEWCOMER));
        return of(id, members);
    }

    /** A quorum of members in any order; without a rendezvous yet. */
    public static Quorum of(String id, List<Integer> members) {
        return new Quorum(id, members, Optional.empty(), Rendezvous.UNKNOWN);
    }

    /**
     * Returns a copy with a store, as for {@link CommunicatorOptions#store}. A process that can read the store can
     * join, unless the quorum names a secret. Late members read the outcome of the quorum from the store; one key of
     * the quorum stays there.
     */
    public Quorum store(Store store) {
        return with(meeting.withStore(store));
    }

    /**
     * Returns a copy with the address at which the new rank 0 listens, in the format of
     * {@link RendezvousAddress#parse}.
     */
    public Quorum address(String address) {
        return with(meeting.withAddress(RendezvousAddress.parse(address)));
    }

    /**
     * Returns a copy with a secret that every connection proves to know. Without this, rank 0 generates a secret and
     * puts it into the store; where the rendezvous is an address without a store, the secret is the one of the members'
     * options.
     */
    public Quorum secret(String secret) {
        return with(meeting.withSecret(secret));
    }

    /** Returns a copy with address and secret of a unique id, which the process that will be rank 0 has created. */
    public Quorum uniqueId(UniqueId uniqueId) {
        Objects.requireNonNull(uniqueId, "uniqueId");
        return with(meeting.withAddress(uniqueId.address()).withSecret(uniqueId.secret()));
    }

    /** Returns a copy with nodes of this number of ranks, numbered node by node. */
    public Quorum ranksPerNode(int number) {
        return new Quorum(id, members, Optional.of(number), meeting);
    }

    private Quorum with(Rendezvous changed) {
        return new Quorum(id, members, ranksPerNode, changed);
    }

    /** Number of ranks of the new communicator. */
    public int size() {
        return members.size();
    }

    /** The ranks of newcomers in the new communicator. */
    public List<Integer> newcomers() {
        return IntStream.range(0, size())
                .filter(rank -> members.get(rank) == NEWCOMER)
                .boxed()
                .toList();
    }

    /** Describes members and their old ranks, for messages: "rank 1 (was rank 2), rank 2 (a newcomer)". */
    public String words(List<Integer> ranks) {
        Objects.requireNonNull(ranks, "ranks");
        return ranks.isEmpty()
                ? "members"
                : ranks.stream()
                        .map(rank -> "rank " + rank
                                + (members.get(rank) == NEWCOMER
                                        ? " (a newcomer)"
                                        : " (was rank " + members.get(rank) + ")"))
                        .collect(Collectors.joining(", "));
    }
}
