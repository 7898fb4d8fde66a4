package org.mscclj.gpu.memory;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;
import org.mscclj.gpu.descriptor.DescriptorServer;
import org.mscclj.gpu.descriptor.Uuids;
import org.mscclj.gpu.mapping.IpcHandle;
import org.mscclj.spi.memory.ProcessIdentity;

/** How other processes find the memory. */
sealed interface Sharing {
    /** {@link ProcessIdentity#reach} of the owner. */
    UUID reach();

    /** Bytes of the encoded form. */
    int encodedBytes();

    /** Writes the encoded form. */
    void encode(ByteBuffer to);

    /**
     * Other processes request a file descriptor from the owner.
     *
     * @param token the token that the owner's {@link DescriptorServer} requires
     */
    record ByDescriptor(UUID reach, UUID token) implements Sharing {
        private static final int BYTES = 4 * Long.BYTES;

        @Override
        public int encodedBytes() {
            return BYTES;
        }

        @Override
        public void encode(ByteBuffer to) {
            Uuids.put(to, reach);
            Uuids.put(to, token);
        }
    }

    /**
     * Other processes open a handle of the driver.
     *
     * @param handle the handle
     */
    record ByHandle(UUID reach, IpcHandle handle) implements Sharing {
        private static final int BYTES = 2 * Long.BYTES + IpcHandle.BYTES;

        @Override
        public int encodedBytes() {
            return BYTES;
        }

        @Override
        public void encode(ByteBuffer to) {
            Uuids.put(to, reach);
            handle.encode(to);
        }
    }

    /** Whether an encoded form, or none, can have this many bytes. */
    static boolean isLength(long bytes) {
        return bytes == 0 || bytes == ByDescriptor.BYTES || bytes == ByHandle.BYTES;
    }

    /** Decodes the remaining bytes; empty if there are none. */
    static Optional<Sharing> decode(ByteBuffer from) {
        return switch (from.remaining()) {
            case 0 -> Optional.empty();
            case ByDescriptor.BYTES -> Optional.of(new ByDescriptor(Uuids.get(from), Uuids.get(from)));
            default -> Optional.of(new ByHandle(Uuids.get(from), IpcHandle.decode(from)));
        };
    }
}
