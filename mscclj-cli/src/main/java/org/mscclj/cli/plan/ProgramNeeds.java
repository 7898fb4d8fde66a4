package org.mscclj.cli.plan;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.language.program.MappedPeers;
import org.mscclj.language.program.ShippedProgram;

/**
 * The requirements of a program.
 *
 * @param mappedPeers the peers whose memory ranks must be able to map
 * @param registeredBuffers whether buffers must be from {@code Communicator.allocate}
 * @param portChannels whether proxies must be able to move data
 * @param multicast whether it needs multicast, of a switch or emulated by the backend
 */
record ProgramNeeds(MappedPeers mappedPeers, boolean registeredBuffers, boolean portChannels, boolean multicast) {
    static ProgramNeeds of(ShippedProgram program) {
        return new ProgramNeeds(
                program.mappedPeers(), program.sharesBuffers(), program.usesPorts(), program.usesSwitch());
    }

    String peers() {
        return switch (mappedPeers) {
            case ALL -> "all";
            case SAME_NODE -> "same node";
            case NONE -> "none";
        };
    }

    String text() {
        List<String> needs = new ArrayList<>();
        if (mappedPeers != MappedPeers.NONE) {
            needs.add(
                    mappedPeers == MappedPeers.ALL
                            ? "mapped memory of all peers"
                            : "mapped memory of the peers of a node");
        }
        if (registeredBuffers) {
            needs.add("registered buffers");
        }
        if (portChannels) {
            needs.add("port channels");
        }
        if (multicast) {
            needs.add("a switch");
        }
        return String.join(", ", needs);
    }
}
