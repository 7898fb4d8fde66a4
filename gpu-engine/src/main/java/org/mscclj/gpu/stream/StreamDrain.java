package org.mscclj.gpu.stream;

import java.util.function.BooleanSupplier;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.BackendException;
import org.mscclj.gpu.driver.DriverErrors;
import org.mscclj.spi.waiting.Backoff;

/** Waits for work that must end before resources are freed. */
final class StreamDrain {
    private StreamDrain() {}

    /**
     * Waits until work has ended or failed, also across interrupts. Returns whether the thread was interrupted
     * meanwhile.
     *
     * @param errors of the GPU's driver
     */
    static boolean await(DriverErrors errors, BooleanSupplier ended) {
        boolean interrupted = false;
        Backoff backoff = new Backoff();
        while (!isOver(errors, ended)) {
            try {
                backoff.pause();
            } catch (AbortedException _) {
                interrupted |= Thread.interrupted(); // the work in flight uses memory that the caller may free next
            }
        }
        return interrupted;
    }

    /**
     * Whether work has ended. Failed work has ended too; a caller that waits for it gets the error. During a capture
     * the driver may not know.
     */
    private static boolean isOver(DriverErrors errors, BooleanSupplier ended) {
        try {
            return ended.getAsBoolean();
        } catch (BackendException e) {
            return !errors.isAboutCaptures(e.code());
        }
    }
}
