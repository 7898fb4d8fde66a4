package com.acme.device;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.mscclj.spi.device.MemoryHandle;
import org.mscclj.spi.memory.ProcessIdentity;
import org.mscclj.support.device.Allocation;
import org.mscclj.support.device.MemoryBuffer;

/**
 * A description of memory that is sent to peers.
 *
 * @param process the identity of the owner's process
 * @param number the number of the allocation in that process
 * @param offset start of the memory in the allocation, in bytes
 * @param bytes size of the memory
 * @param file the file of the allocation, whose name no other process of any host uses
 */
record AcmeHandle(long process, long number, long offset, long bytes, String file) {
    static AcmeHandle of(MemoryBuffer buffer) {
        Allocation whole = buffer.allocation();
        return new AcmeHandle(
                ProcessIdentity.process(), whole.number(), buffer.offset(), buffer.byteSize(), whole.name());
    }

    static AcmeHandle decode(MemoryHandle handle) {
        ByteBuffer data = ByteBuffer.wrap(handle.bytes());
        return new AcmeHandle(
                data.getLong(), data.getLong(), data.getLong(), data.getLong(), UTF_8.decode(data).toString());
    }

    MemoryHandle encode() {
        byte[] name = file.getBytes(UTF_8);
        ByteBuffer data = ByteBuffer.allocate(4 * Long.BYTES + name.length);
        data.putLong(process).putLong(number).putLong(offset).putLong(bytes).put(name);
        return new MemoryHandle("acme", data.array());
    }

    boolean isOfThisProcess() {
        return process == ProcessIdentity.process();
    }

    boolean isReachable() {
        return isOfThisProcess() || Files.isWritable(Path.of(file));
    }
}
