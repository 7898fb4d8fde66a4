package org.mscclj.interposer;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.TransferCall;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Event;
import org.mscclj.api.device.Stream;

/**
 * Copies of data that a batch of messages sends from where it also receives. NCCL takes such batches and does not
 * define what arrives; nccl-tests make them. Here the data of before the batch arrive.
 */
final class SentCopies {
    private final Device device;
    private final StreamCopies streams;

    /** Buffers that graphs read, and smaller ones that operations in flight may read. */
    private final List<DeviceBuffer> kept = new ArrayList<>();

    private @Nullable DeviceBuffer buffer;
    private @Nullable Event lastUse;

    SentCopies(Device device, StreamCopies streams) {
        this.device = device;
        this.streams = streams;
    }

    /**
     * Returns a batch that writes nothing that it sends: the given one, or one that sends copies, which the stream
     * makes. Call {@link #used} after the batch, if it is another one.
     */
    List<TransferCall.Message> apart(List<TransferCall.Message> batch, Stream stream, long handle) {
        long start = Long.MAX_VALUE;
        long end = 0;
        for (TransferCall.Message message : batch) {
            if (!message.sends()) {
                start = Math.min(start, message.buffer().address());
                end = Math.max(
                        end, message.buffer().address() + message.buffer().byteSize());
            }
        }
        List<Integer> overwritten = new ArrayList<>();
        long bytes = 0;
        for (int i = 0; i < batch.size(); i++) {
            TransferCall.Message message = batch.get(i);
            if (message.sends() && overlaps(message.buffer(), start, end) && isOverwritten(message.buffer(), batch)) {
                overwritten.add(i);
                bytes += aligned(message.buffer().byteSize());
            }
        }
        return overwritten.isEmpty() ? batch : copied(batch, overwritten, memory(bytes, stream), handle);
    }

    private static boolean isOverwritten(DeviceBuffer sent, List<TransferCall.Message> batch) {
        for (TransferCall.Message other : batch) {
            DeviceBuffer buffer = other.buffer();
            if (!other.sends() && overlaps(sent, buffer.address(), buffer.address() + buffer.byteSize())) {
                return true;
            }
        }
        return false;
    }

    private static boolean overlaps(DeviceBuffer buffer, long start, long end) {
        return buffer.address() < end && start < buffer.address() + buffer.byteSize();
    }

    private static long aligned(long bytes) {
        return (bytes + 255) & -256;
    }

    private List<TransferCall.Message> copied(
            List<TransferCall.Message> batch, List<Integer> overwritten, DeviceBuffer copies, long handle) {
        List<TransferCall.Message> result = new ArrayList<>(batch);
        long place = 0;
        for (int i : overwritten) {
            TransferCall.Message message = batch.get(i);
            DeviceBuffer copy = copies.slice(place, message.buffer().byteSize());
            streams.copy(message.buffer(), copy, handle);
            result.set(i, new TransferCall.Message(true, copy, message.peer()));
            place += aligned(message.buffer().byteSize());
        }
        return result;
    }

    private DeviceBuffer memory(long bytes, Stream stream) {
        kept.removeIf(AdoptedRanges::closes);
        if (stream.isCapturing()) {
            DeviceBuffer ofGraph = device.allocate(bytes);
            kept.add(ofGraph);
            return ofGraph;
        }
        DeviceBuffer last = buffer;
        if (last == null || last.byteSize() < bytes) {
            long size = bytes;
            if (last != null) {
                kept.add(last);
                size = Math.max(bytes, 2 * last.byteSize());
            }
            last = device.allocate(size);
            buffer = last;
        }
        if (lastUse == null) {
            lastUse = device.createEvent();
        } else {
            stream.await(lastUse);
        }
        return last;
    }

    /** Records that a batch on the stream uses copies. */
    void used(Stream stream) {
        if (lastUse != null && !stream.isCapturing()) {
            stream.record(lastUse);
        }
    }

    /** Frees what no graph reads; the communicator must be closed. */
    void close() {
        kept.forEach(AdoptedRanges::closes);
        kept.clear();
        if (buffer != null) {
            AdoptedRanges.closes(buffer);
        }
        if (lastUse != null) {
            lastUse.close();
        }
    }
}
