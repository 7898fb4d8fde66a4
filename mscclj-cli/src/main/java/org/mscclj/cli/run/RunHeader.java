package org.mscclj.cli.run;

import org.mscclj.api.type.PacketType;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.check.Tolerance;
import org.mscclj.plan.Plan;

/**
 * The data that all sizes of a run share.
 *
 * @param plan the plan
 * @param packetType the format of its packets
 * @param example one of the calls
 * @param backend the backend's name
 * @param ranksPerNode ranks on each node
 * @param seed the seed of the inputs
 */
record RunHeader(Plan plan, PacketType packetType, CheckedCall example, String backend, int ranksPerNode, long seed) {
    String tolerance() {
        return Tolerance.of(example);
    }

    /** Returns the packet format in tables. */
    String packets() {
        return plan.usesPackets() ? packetType.name() : "none";
    }
}
