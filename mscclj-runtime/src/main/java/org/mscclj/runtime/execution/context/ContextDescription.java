package org.mscclj.runtime.execution.context;

import java.util.List;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.runtime.control.Differences;
import org.mscclj.runtime.control.Message;
import org.mscclj.runtime.control.Wire;
import org.mscclj.runtime.execution.environment.ExecutorOptions;
import org.mscclj.spi.device.MemoryHandle;

/**
 * Description of a context that a rank opens, for the other ranks.
 *
 * @param slotBytes size of a slot of scratch; must be equal on all ranks, since rounds and addresses in a peer's
 *     scratch follow from it
 * @param scratch handle by which peers can map this rank's scratch
 * @param counters handle by which peers can map this rank's counters
 * @param ports data of this rank that port channels need; empty if the plan has none
 * @param multicast this rank's part in the set-up of multicast; empty if the plan needs none
 */
record ContextDescription(
        long slotBytes, MemoryHandle scratch, MemoryHandle counters, Message ports, Message multicast) {
    /** Creates a description for a plan without port channels and multicast. */
    ContextDescription(long slotBytes, MemoryHandle scratch, MemoryHandle counters) {
        this(slotBytes, scratch, counters, new Message(new byte[0]), new Message(new byte[0]));
    }

    /** Returns a copy with the data that port channels need. */
    ContextDescription withPorts(byte[] described) {
        return new ContextDescription(slotBytes, scratch, counters, new Message(described), multicast);
    }

    /** Returns a copy with this rank's part in the set-up of multicast. */
    ContextDescription withMulticast(byte[] described) {
        return new ContextDescription(slotBytes, scratch, counters, ports, new Message(described));
    }

    byte[] encode() {
        return Wire.encode(out -> {
            out.writeLong(slotBytes);
            Wire.writeHandle(out, scratch);
            Wire.writeHandle(out, counters);
            Wire.writeBytes(out, ports.bytes());
            Wire.writeBytes(out, multicast.bytes());
        });
    }

    static ContextDescription decode(byte[] message) {
        return Wire.decode(
                message,
                in -> new ContextDescription(
                        in.readLong(),
                        Wire.readHandle(in),
                        Wire.readHandle(in),
                        Wire.readMessage(in),
                        Wire.readMessage(in)));
    }

    /**
     * Decodes the descriptions of all ranks of a plan's context.
     *
     * @throws InvalidArgumentException on every rank alike, if ranks lay scratch out differently
     */
    static List<ContextDescription> ofRanks(String plan, List<Message> messages) {
        List<ContextDescription> ranks = Wire.decodeAll(messages, ContextDescription.class, ContextDescription::decode);
        Differences.among(
                        ranks.stream().map(ContextDescription::slotBytes).toList(),
                        bytes -> "slots of " + bytes + " bytes")
                .ifPresent(slots -> {
                    throw new InvalidArgumentException("ranks lay out the scratch of plan " + plan + " differently: "
                            + slots + "; " + ExecutorOptions.SCRATCH_LIMIT_VARIABLE
                            + ", the plan and its size must be equal on all ranks");
                });
        return ranks;
    }
}
