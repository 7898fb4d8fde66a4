package org.mscclj.gpu.stream;

import java.util.function.BooleanSupplier;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.BackendException;
import org.mscclj.gpu.driver.DriverErrors;
import org.mscclj.spi.engine.Backoff;

/** Waiting for work that must have ended before something is freed. */
final class Drain {
    private Drain() {}

    /**
     * Waits until work has ended or failed, whatever happens; tells whether the thread was interrupted meanwhile.
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
                interrupted |= Thread.interrupted(); // what is in flight uses memory that the caller may free next
            }
        }
        return interrupted;
    }

    /**
     * Work that has failed has ended too; who waits for it is told. Where somebody captures, the driver may not know.
     */
    private static boolean isOver(DriverErrors errors, BooleanSupplier ended) {
        try {
            return ended.getAsBoolean();
        } catch (BackendException e) {
            return !errors.isAboutCaptures(e.code());
        }
    }
}
