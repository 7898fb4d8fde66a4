package org.mscclj.runtime.proxy;

import org.jspecify.annotations.Nullable;
import org.mscclj.runtime.proxy.MemoryTable.Window;
import org.mscclj.spi.proxy.Trigger;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.RemoteMemory;

/**
 * Carries out triggers one after the other. Used under the agent's claim. Allocates nothing for well-formed triggers.
 */
final class TriggerCarrier {
    private final TriggerIds ids;
    private final TransfersInFlight inFlight;

    /** Creates a carrier of triggers with these ids. Semaphores of carried-out triggers are in flight from then on. */
    TriggerCarrier(TriggerIds ids, TransfersInFlight inFlight) {
        this.ids = ids;
        this.inFlight = inFlight;
    }

    /**
     * Carries out a trigger up to its hand-over to the connection.
     *
     * @param position its position in the ring
     * @return why it cannot be carried out; null if it was
     */
    @Nullable
    String carryOut(long position, long word0, long word1) {
        int type = Trigger.type(word1);
        if (type == 0) {
            return "it asks for nothing";
        }
        ProxySemaphore semaphore = ids.semaphore(Trigger.semaphoreId(word1));
        if (semaphore == null) {
            return "the semaphore is not known";
        }
        inFlight.use(semaphore);
        if ((type & Trigger.DATA) != 0) {
            String refusal = write(semaphore, word0, word1);
            if (refusal != null) {
                return refusal;
            }
        }
        if ((type & Trigger.SIGNAL) != 0) {
            semaphore.signal();
        }
        if ((type & Trigger.FLUSH) != 0) {
            semaphore.flush(position);
        }
        inFlight.add(semaphore);
        return null;
    }

    private @Nullable String write(ProxySemaphore semaphore, long word0, long word1) {
        Window<LocalMemory> source = ids.local(Trigger.sourceId(word1));
        if (source == null) {
            return "the source memory is not known";
        }
        Window<RemoteMemory> destination = ids.remote(Trigger.destinationId(word1));
        if (destination == null) {
            return "the destination memory is not known";
        }
        long bytes = Trigger.bytes(word0);
        long sourceOffset = Trigger.sourceOffset(word0);
        if (sourceOffset + bytes > source.limit()) {
            return "the source has only " + left(source, sourceOffset) + " bytes from there";
        }
        long destinationOffset = Trigger.destinationOffset(word1);
        if (destinationOffset + bytes > destination.limit()) {
            return "the destination has only " + left(destination, destinationOffset) + " bytes from there";
        }
        semaphore.posted(semaphore
                .connection()
                .write(
                        source.memory(),
                        source.base() + sourceOffset,
                        destination.memory(),
                        destination.base() + destinationOffset,
                        bytes));
        return null;
    }

    private static long left(Window<?> window, long offset) {
        return Math.max(0, window.limit() - offset);
    }
}
