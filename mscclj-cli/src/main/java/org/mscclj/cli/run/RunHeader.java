package org.mscclj.cli.run;

import org.mscclj.cli.check.CallShape;
import org.mscclj.cli.check.Tolerance;

/**
 * What all sizes of a run have in common.
 *
 * @param example one of the calls
 * @param backend the backend's name
 * @param ranksPerNode ranks on each node
 * @param seed of the inputs
 */
record RunHeader(CallShape example, String backend, int ranksPerNode, long seed) {
    String tolerance() {
        return Tolerance.of(example);
    }

    /** The reduce operation as the table shows it. */
    String op() {
        return example.collective().reduces() ? example.op().label() : "none";
    }

    /** The packet format as the table shows it. */
    String packets() {
        return example.plan().usesPackets() ? example.packetType().name() : "none";
    }
}
