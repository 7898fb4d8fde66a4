package org.mscclj.cli.stress.chaos;

import java.time.Duration;
import org.mscclj.cli.stress.fault.TestRendezvous;

/**
 * Creates the rendezvous of a case.
 *
 * @param timeout the timeout of the communicators
 * @param backend the name of the backend
 */
record RendezvousFactory(Duration timeout, String backend) {
    /** Creates the rendezvous of ranks that open a communicator. */
    TestRendezvous of(int ranks, int ranksPerNode) {
        return TestRendezvous.of(ranks, ranksPerNode, timeout, backend);
    }

    /** Creates the rendezvous of survivors and newcomers. */
    TestRendezvous ofQuorum(int ranks, int ranksPerNode) {
        return TestRendezvous.ofQuorum(ranks, ranksPerNode, timeout, backend);
    }
}
