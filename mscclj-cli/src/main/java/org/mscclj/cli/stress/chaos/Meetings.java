package org.mscclj.cli.stress.chaos;

import java.time.Duration;
import org.mscclj.cli.stress.fault.Rendezvous;

/**
 * Makes the places where ranks of a case meet.
 *
 * @param timeout of their communicators
 * @param backend its name
 */
record Meetings(Duration timeout, String backend) {
    /** Of ranks that open a communicator. */
    Rendezvous of(int ranks, int ranksPerNode) {
        return Rendezvous.of(ranks, ranksPerNode, timeout, backend);
    }

    /** Of survivors and newcomers. */
    Rendezvous ofQuorum(int ranks, int ranksPerNode) {
        return Rendezvous.ofQuorum(ranks, ranksPerNode, timeout, backend);
    }
}
