package org.mscclj.cli.run;

import org.mscclj.api.type.PacketType;
import org.mscclj.cli.check.CallShape;
import org.mscclj.cli.check.Tolerance;
import org.mscclj.plan.Plan;

/**
 * What all sizes of a run have in common.
 *
 * @param plan the plan
 * @param packetType the format of its packets
 * @param example one of the calls
 * @param backend the backend's name
 * @param ranksPerNode ranks on each node
 * @param seed of the inputs
 */
record RunHeader(Plan plan, PacketType packetType, CallShape example, String backend, int ranksPerNode, long seed) {
    String tolerance() {
        return Tolerance.of(example);
    }

    /** The packet format as the table shows it. */
    String packets() {
        return plan.usesPackets() ? packetType.name() : "none";
    }
}
