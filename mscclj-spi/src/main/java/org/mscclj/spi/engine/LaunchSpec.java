package org.mscclj.spi.engine;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.PacketType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.layout.LaunchGeometry;

/**
 * One prepared launch of a context.
 *
 * @param input this rank's input
 * @param output this rank's output
 * @param type element type
 * @param op how contributions are combined; never an average or a premultiplied sum, which are sums with a
 *     {@code scaling}
 * @param scaling the conversion around the plan for an average or a premultiplied sum; empty for other operations. If
 *     present, {@code type} is the type of the addends, {@code input} holds the addends, and {@code output} receives
 *     the sums
 * @param packetType the format of packets
 * @param geometry the mapping of the call's bytes to the plan's chunks
 * @param buffers the mapped input and output of every rank, this one included, by rank
 * @param ports memory ids of the buffers for each of this rank's port channels, by channel id
 * @param multicasts the multicast address of each of this rank's switch channels, by channel id; empty where there is
 *     no multicast, so that the engine reaches every member through mapped memory
 */
public record LaunchSpec(
        DeviceBuffer input,
        DeviceBuffer output,
        DataType type,
        ReduceOp op,
        Optional<Scaling> scaling,
        PacketType packetType,
        LaunchGeometry geometry,
        List<PeerBuffers> buffers,
        List<PortBuffers> ports,
        List<OptionalLong> multicasts) {
    /** Copies the lists. */
    public LaunchSpec {
        buffers = List.copyOf(buffers);
        ports = List.copyOf(ports);
        multicasts = List.copyOf(multicasts);
    }
}
