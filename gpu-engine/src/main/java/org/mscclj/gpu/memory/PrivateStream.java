package org.mscclj.gpu.memory;

import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.context.RelaxedThread;
import org.mscclj.spi.waiting.Backoff;

/**
 * A stream of high priority for copies by the host. Calls are made in its GPU's context. Querying it breaks no capture
 * of other software.
 *
 * @param context of its GPU
 * @param handle the driver's {@code CUstream}
 */
record PrivateStream(DeviceContext context, long handle) {
    static PrivateStream create(DeviceContext context) {
        return new PrivateStream(context, context.createStream(true));
    }

    /** Waits until its work has ended. */
    void await() {
        Backoff backoff = Backoff.forDevices();
        int result = query();
        while (context.driver().errors().isNotReady(result)) {
            backoff.pause();
            result = query();
        }
        context.driver().check(result, "a copy between host and GPU");
    }

    /** Whether its work has ended, or failed. */
    boolean isIdle() {
        return !context.driver().errors().isNotReady(query());
    }

    private int query() {
        try (RelaxedThread _ = context.relax()) {
            return context.driver().streams().query(handle);
        }
    }

    void destroy() {
        context.driver().checkFreed(context.driver().streams().destroy(handle), "closing a stream");
    }
}
