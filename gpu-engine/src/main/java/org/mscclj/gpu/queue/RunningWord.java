package org.mscclj.gpu.queue;

import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.spi.device.BackendDevice;

/**
 * The word on the device that is not 0 while a launch of a communicator is at work. It lives as long as it has a
 * holder.
 */
final class RunningWord {
    private final DeviceBuffer word;
    private int holders = 1;

    /** Creates a word that the caller holds. */
    RunningWord(BackendDevice device) {
        word = device.allocate(Long.BYTES);
    }

    /** The device address of the word. */
    long address() {
        return word.address();
    }

    /** Adds a holder, until the result is closed. */
    synchronized AutoCloseable hold() {
        holders++;
        return this::drop;
    }

    /** Removes a holder. The last one frees the word. */
    void drop() {
        synchronized (this) {
            if (--holders > 0) {
                return;
            }
        }
        word.close();
    }
}
