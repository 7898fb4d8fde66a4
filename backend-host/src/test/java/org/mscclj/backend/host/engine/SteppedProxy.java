package org.mscclj.backend.host.engine;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.posix.NativeMemory;
import org.mscclj.spi.engine.PortBinding;
import org.mscclj.spi.engine.PortBuffers;
import org.mscclj.spi.engine.PortBuffers.Region;
import org.mscclj.spi.proxy.Trigger;
import org.mscclj.spi.proxy.TriggerFifo;

/** The proxy of one port channel, which carries out one trigger a step, by itself. */
final class SteppedProxy {
    private static final int SLOTS = 64;
    private static final int SEMAPHORE = 0;

    private final TriggerFifo fifo;
    private final List<DeviceBuffer> memory;
    private final long peerCounter;

    /**
     * A proxy with nothing to do.
     *
     * @param slots zeroed memory of the ring
     * @param own input, output and scratch of its rank
     * @param peer those of the peer
     * @param peerCounter address of the counter that a signal raises
     */
    SteppedProxy(MemorySegment slots, List<DeviceBuffer> own, List<DeviceBuffer> peer, long peerCounter) {
        this.fifo = new TriggerFifo(slots, () -> {});
        this.memory = Stream.concat(own.stream(), peer.stream()).toList();
        this.peerCounter = peerCounter;
    }

    /** Bytes of the ring's memory. */
    static long ringBytes() {
        return (long) SLOTS * TriggerFifo.SLOT_BYTES;
    }

    PortBinding binding() {
        return new PortBinding(fifo, SEMAPHORE, 2, 5);
    }

    static PortBuffers buffers() {
        return new PortBuffers(new Region(0, 0), new Region(1, 0), new Region(3, 0), new Region(4, 0));
    }

    boolean isIdle() {
        return fifo.isEmpty();
    }

    /** Carries out the next trigger; false if there is none. */
    boolean step() {
        if (!fifo.poll()) {
            return false;
        }
        long position = fifo.position();
        long word0 = fifo.word0();
        long word1 = fifo.word1();
        fifo.pop();
        int type = Trigger.type(word1);
        if ((type & Trigger.DATA) != 0) {
            NativeMemory.copy(
                    memory.get(Trigger.sourceId(word1)).address() + Trigger.sourceOffset(word0),
                    memory.get(Trigger.destinationId(word1)).address() + Trigger.destinationOffset(word1),
                    Trigger.bytes(word0));
        }
        if ((type & Trigger.SIGNAL) != 0) {
            NativeMemory.setLongRelease(peerCounter, NativeMemory.getLong(peerCounter) + 1);
        }
        if ((type & Trigger.FLUSH) != 0) {
            fifo.publishFlushed(SEMAPHORE, position + 1);
        }
        return true;
    }
}
