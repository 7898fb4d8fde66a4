package org.mscclj.runtime.channel;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.mscclj.runtime.control.Wire;
import org.mscclj.spi.device.MemoryHandle;

/**
 * What a peer needs to know of memory to access it in every available way.
 *
 * @param rank the rank that owns the memory
 * @param byteSize the size in bytes
 * @param handle the handle for mapping the memory; empty if it cannot be mapped
 * @param refusal why the memory cannot be mapped; empty if it can
 * @param transports each transport's description of the memory, by the name of the transport
 */
record ChannelMemoryDescription(
        int rank, long byteSize, Optional<MemoryHandle> handle, String refusal, Map<String, byte[]> transports) {
    byte[] encode() {
        return Wire.encode(out -> {
            out.writeInt(rank);
            out.writeLong(byteSize);
            out.writeBoolean(handle.isPresent());
            if (handle.isPresent()) {
                Wire.writeHandle(out, handle.get());
            }
            out.writeUTF(refusal);
            out.writeInt(transports.size());
            for (Map.Entry<String, byte[]> entry : transports.entrySet()) {
                out.writeUTF(entry.getKey());
                Wire.writeBytes(out, entry.getValue());
            }
        });
    }

    static ChannelMemoryDescription decode(byte[] message) {
        return Wire.decode(message, in -> {
            int rank = in.readInt();
            long byteSize = in.readLong();
            Optional<MemoryHandle> handle = in.readBoolean() ? Optional.of(Wire.readHandle(in)) : Optional.empty();
            String refusal = in.readUTF();
            Map<String, byte[]> transports = new LinkedHashMap<>();
            for (int left = in.readInt(); left > 0; left--) {
                transports.put(in.readUTF(), Wire.readBytes(in));
            }
            return new ChannelMemoryDescription(rank, byteSize, handle, refusal, transports);
        });
    }
}
