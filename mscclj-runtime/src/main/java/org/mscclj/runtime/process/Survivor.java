package org.mscclj.runtime.process;

import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.Quorum;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.runtime.control.Nodes;

/**
 * A rank that goes on in another membership.
 *
 * @param communicator the name of the old communicator, for messages
 * @param rank the rank in the old communicator
 * @param nodes nodes of its ranks
 */
record Survivor(String communicator, int rank, Nodes nodes) {
    /** Returns the options by which this rank opens its part of a quorum. Throws if this rank is not a member. */
    CommunicatorOptions options(CommunicatorOptions before, Quorum quorum) {
        int most = nodes.ofRanks().size() - 1;
        quorum.members().stream().filter(member -> member > most).findFirst().ifPresent(member -> {
            throw InvalidArgumentException.of(
                    "a member of quorum " + quorum.id(),
                    member,
                    "0 to " + most + ", ranks of communicator " + communicator + ", or " + Quorum.NEWCOMER
                            + " for a newcomer");
        });
        int place = quorum.members().indexOf(rank);
        if (place < 0) {
            throw new InvalidArgumentException("rank " + rank + " of communicator " + communicator
                    + " is none of the members of quorum " + quorum.id() + ", " + quorum.members()
                    + "; a rank that is left out closes its communicator instead");
        }
        if (nodes.several() && quorum.ranksPerNode().isEmpty()) {
            throw new InvalidArgumentException(
                    "quorum " + quorum.id() + " does not say how many ranks are on each node,"
                            + " and those of communicator " + communicator
                            + " are on several; call Quorum.ranksPerNode, with 1 if nothing else fits");
        }
        return before.member(quorum, place);
    }
}
