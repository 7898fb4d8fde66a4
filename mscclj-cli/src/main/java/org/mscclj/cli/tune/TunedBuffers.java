package org.mscclj.cli.tune;

import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.cli.ranks.RankSession;

/**
 * The memory of all calls of a collective. It is allocated once, because allocating and mapping it takes longer than a
 * trial. Used by the rank's thread.
 */
final class TunedBuffers implements AutoCloseable {
    /** More than the guard zones of a buffer, and its alignment. */
    private static final long SPARE = 64 << 10;

    private final DeviceBuffer both;
    private final long half;
    private int calls;

    /**
     * Allocates. Collective.
     *
     * @param mostBytes the size of the largest input or output
     */
    TunedBuffers(RankSession session, TunedMemory memory, long mostBytes) {
        half = (mostBytes + SPARE + SPARE - 1) / SPARE * SPARE;
        session.beginOperations("allocate", 1);
        try {
            both = memory == TunedMemory.REGISTERED
                    ? session.communicator().allocate(2 * half)
                    : session.communicator().device().allocate(2 * half);
        } catch (RuntimeException | Error e) {
            session.failed(e);
            throw e;
        }
    }

    /** Returns memory for the input of a call, and then for its output, and so on. */
    DeviceBuffer next(long bytes) {
        return both.slice(calls++ % 2 * half, bytes);
    }

    @Override
    public void close() {
        both.close();
    }
}
