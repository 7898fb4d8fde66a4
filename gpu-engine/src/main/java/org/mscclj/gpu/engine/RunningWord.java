package org.mscclj.gpu.engine;

import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.spi.device.BackendDevice;

/**
 * The word on the device that is not 0 while a launch of a communicator is at work. It lives as long as anybody holds
 * it.
 */
final class RunningWord {
    private final DeviceBuffer word;
    private int holders = 1;

    /** A word that the caller holds. */
    RunningWord(BackendDevice device) {
        word = device.allocate(Long.BYTES);
    }

    /** Where it is. */
    long address() {
        return word.address();
    }

    /** Holds it once more, until the result is closed. */
    synchronized AutoCloseable hold() {
        holders++;
        return this::drop;
    }

    /** Whoever held it does not any more; the last one frees it. */
    void drop() {
        synchronized (this) {
            if (--holders > 0) {
                return;
            }
        }
        word.close();
    }
}
