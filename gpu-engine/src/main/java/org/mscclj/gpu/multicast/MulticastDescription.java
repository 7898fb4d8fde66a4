package org.mscclj.gpu.multicast;

import java.lang.foreign.MemorySegment;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.gpu.descriptor.DescriptorClient;
import org.mscclj.gpu.descriptor.Uuids;
import org.mscclj.gpu.driver.MulticastCalls;
import org.mscclj.spi.memory.ProcessIdentity;

/**
 * What other members need to open a multicast object.
 *
 * @param process of the member that describes it
 * @param reach {@link ProcessIdentity#reach} of that process
 * @param number the number by which that process exports it
 * @param lifeNumber the number by which that process exports the {@link TeamLife}; 0 for members of one process
 * @param token the token that its server of descriptors requires; empty for members of one process
 * @param members the number of GPUs
 * @param bytes the size of the object
 * @param fabric the handle for the fabric; empty if there is none
 */
record MulticastDescription(
        long process,
        UUID reach,
        long number,
        long lifeNumber,
        Optional<UUID> token,
        int members,
        long bytes,
        Optional<MemorySegment> fabric) {
    private static final int VERSION = 1;
    private static final UUID NO_TOKEN = new UUID(0, 0);
    private static final int WORDS = 2 * Integer.BYTES + 4 * Long.BYTES + 4 * Long.BYTES;

    byte[] encode() {
        ByteBuffer to = ByteBuffer.allocate(WORDS + (fabric.isPresent() ? MulticastCalls.FABRIC_HANDLE_BYTES : 0));
        to.putInt(VERSION)
                .putInt(members)
                .putLong(process)
                .putLong(number)
                .putLong(lifeNumber)
                .putLong(bytes);
        Uuids.put(to, reach);
        Uuids.put(to, token.orElse(NO_TOKEN));
        fabric.ifPresent(handle -> to.put(handle.asByteBuffer()));
        return to.array();
    }

    /** Decodes a description; any bytes are decoded or refused. */
    static MulticastDescription decode(byte[] handle) {
        ByteBuffer from = ByteBuffer.wrap(handle);
        try {
            int version = from.getInt();
            int members = from.getInt();
            long process = from.getLong();
            long number = from.getLong();
            long lifeNumber = from.getLong();
            long bytes = from.getLong();
            UUID reach = Uuids.get(from);
            UUID token = Uuids.get(from);
            byte[] fabric = new byte[from.remaining()];
            from.get(fabric);
            boolean right = fabric.length == 0 || fabric.length == MulticastCalls.FABRIC_HANDLE_BYTES;
            if (version == VERSION && members > 0 && bytes > 0 && right) {
                return new MulticastDescription(
                        process,
                        reach,
                        number,
                        lifeNumber,
                        Optional.of(token).filter(some -> !some.equals(NO_TOKEN)),
                        members,
                        bytes,
                        Optional.of(MemorySegment.ofArray(fabric)).filter(some -> some.byteSize() > 0));
            }
        } catch (BufferUnderflowException _) { // refused below
        }
        throw new InvalidArgumentException("a multicast object is not described as this version does; open all ranks on"
                + " the same version of mscclj");
    }

    /** Whether this process can ask the other one for a file descriptor. */
    boolean isNear() {
        return token.isPresent() && reach.equals(ProcessIdentity.reach(ProcessIdentity.Namespace.NETWORK));
    }

    /** What this process asks the other one for, if it is near. */
    DescriptorClient.Exported exported() {
        return new DescriptorClient.Exported(process, number, bytes, token.orElseThrow());
    }

    /** The life of the object, as {@link #exported}. */
    DescriptorClient.Exported life() {
        return new DescriptorClient.Exported(process, lifeNumber, 0, token.orElseThrow());
    }
}
