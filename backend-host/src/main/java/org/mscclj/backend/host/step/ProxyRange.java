package org.mscclj.backend.host.step;

import java.util.function.ToIntFunction;
import org.mscclj.spi.proxy.Trigger;
import org.mscclj.spi.proxy.TriggerFifo;

/** A range that a proxy moves. The addresses of its operands are offsets in registered memory. */
public final class ProxyRange {
    private final StepOperand source;
    private final ToIntFunction<LaunchBuffers> sourceMemory;
    private final StepOperand destination;
    private final ToIntFunction<LaunchBuffers> destinationMemory;
    private final boolean packets;
    private int sourceId;
    private int destinationId;

    /**
     * A range.
     *
     * @param source its addresses are offsets in this rank's registered memory
     * @param sourceMemory returns the first memory id of that memory
     * @param destination its addresses are offsets in the peer's registered memory
     * @param destinationMemory returns the first memory id of that memory
     * @param packets whether both are packet areas, which are twice as large as their payload, and are moved whole in
     *     every iteration of a pipeline
     */
    public ProxyRange(
            StepOperand source,
            ToIntFunction<LaunchBuffers> sourceMemory,
            StepOperand destination,
            ToIntFunction<LaunchBuffers> destinationMemory,
            boolean packets) {
        this.source = source;
        this.sourceMemory = sourceMemory;
        this.destination = destination;
        this.destinationMemory = destinationMemory;
        this.packets = packets;
    }

    void begin(StepContext context) {
        source.begin(context);
        destination.begin(context);
        LaunchBuffers buffers = context.round().buffers();
        sourceId = sourceMemory.applyAsInt(buffers);
        destinationId = destinationMemory.applyAsInt(buffers);
    }

    long start(long windowStart) {
        return packets ? 0 : Math.min(windowStart, source.length());
    }

    long end(long windowEnd) {
        return packets ? source.length() : Math.min(windowEnd, source.length());
    }

    /** Pushes one trigger; returns the payload bytes it covers, 0 if the ring is full. Padding needs no trigger. */
    long push(TriggerFifo fifo, int semaphoreId, long position, long end) {
        int scale = packets ? 2 : 1;
        long bytes = Math.min(Math.min(source.run(position), destination.run(position)), end - position);
        long from = source.address(position);
        long to = destination.address(position);
        if (from == StepOperand.PADDING || to == StepOperand.PADDING) {
            return bytes;
        }
        long moved = Trigger.fit(from, to, bytes * scale);
        long pushed = fifo.tryPush(
                Trigger.word0(moved, Trigger.windowOffset(from)),
                Trigger.word1(
                        Trigger.windowOffset(to),
                        sourceId + Trigger.windowIndex(from),
                        destinationId + Trigger.windowIndex(to),
                        Trigger.DATA,
                        semaphoreId));
        return pushed < 0 ? 0 : moved / scale;
    }
}
