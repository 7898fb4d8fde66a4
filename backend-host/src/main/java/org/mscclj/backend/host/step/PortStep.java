package org.mscclj.backend.host.step;

import org.mscclj.spi.proxy.Trigger;
import org.mscclj.spi.proxy.TriggerFifo;

/**
 * Requests from a proxy to move a range, to signal, to flush, or several of these in this order. Ranges are split so
 * that every field of a trigger fits; a full ring makes the block wait.
 */
public final class PortStep extends HostStep {
    private final TriggerFifo fifo;
    private final int semaphoreId;
    private final ProxyRange[] ranges;
    private final int finalType;
    private int next;
    private long position;
    private long end;
    private long windowStart;
    private long windowEnd;
    private boolean finalPushed;
    private long flushPosition;

    /**
     * A port operation.
     *
     * @param semaphoreId the channel's semaphore
     * @param ranges the ranges to move, in order; may be empty
     * @param finalType the operations after the ranges: any of {@link Trigger#SIGNAL} and {@link Trigger#FLUSH}, or 0.
     *     The step waits for the flush.
     */
    public PortStep(TriggerFifo fifo, int semaphoreId, ProxyRange[] ranges, int finalType) {
        this.fifo = fifo;
        this.semaphoreId = semaphoreId;
        this.ranges = ranges;
        this.finalType = finalType;
    }

    @Override
    public void begin(StepContext context, long from, long to) {
        windowStart = from;
        windowEnd = to;
        next = 0;
        finalPushed = finalType == 0;
        flushPosition = -1;
        for (ProxyRange range : ranges) {
            range.begin(context);
        }
        enterRange();
    }

    @Override
    public long bytes(long from, long to) {
        long bytes = 0;
        for (ProxyRange range : ranges) {
            bytes += Math.max(0, range.end(to) - range.start(from));
        }
        return bytes;
    }

    private void enterRange() {
        if (next < ranges.length) {
            position = ranges[next].start(windowStart);
            end = ranges[next].end(windowEnd);
        }
    }

    @Override
    public int advance(StepContext context) {
        while (next < ranges.length) {
            while (position < end) {
                long bytes = ranges[next].push(fifo, semaphoreId, position, end);
                if (bytes == 0) {
                    return BLOCKED;
                }
                position += bytes;
                context.handled(1);
            }
            next++;
            enterRange();
        }
        if (!finalPushed) {
            flushPosition = fifo.tryPush(0, Trigger.word1(0, 0, 0, finalType, semaphoreId));
            if (flushPosition < 0) {
                return BLOCKED;
            }
            finalPushed = true;
        }
        boolean flushing = (finalType & Trigger.FLUSH) != 0;
        return flushing && fifo.flushed(semaphoreId) <= flushPosition ? BLOCKED : ENDED;
    }
}
