package org.mscclj.backend.host.engine;

import java.util.List;
import org.mscclj.spi.engine.PortBinding;
import org.mscclj.spi.proxy.Trigger;

/** Flushes every port channel of a rank at the end of a round, so that sources may be written again. */
final class PortFlush {
    private final PortBinding[] ports;
    private final long[] positions;
    private int pushed;
    private int flushed;

    PortFlush(List<PortBinding> ports) {
        this.ports = ports.toArray(PortBinding[]::new);
        this.positions = new long[ports.size()];
    }

    /** Starts the flush. */
    void begin() {
        pushed = 0;
        flushed = 0;
    }

    /** Advances as far as possible; returns whether everything is flushed. */
    boolean advance() {
        while (pushed < ports.length) {
            PortBinding port = ports[pushed];
            long position = port.fifo().tryPush(0, Trigger.word1(0, 0, 0, Trigger.FLUSH, port.semaphoreId()));
            if (position < 0) {
                return false;
            }
            positions[pushed++] = position;
        }
        while (flushed < ports.length) {
            PortBinding port = ports[flushed];
            if (port.fifo().flushed(port.semaphoreId()) <= positions[flushed]) {
                return false;
            }
            flushed++;
        }
        return true;
    }
}
