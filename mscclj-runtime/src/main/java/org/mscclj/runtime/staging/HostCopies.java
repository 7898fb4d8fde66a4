package org.mscclj.runtime.staging;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.BackendException;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.StagingCopies;
import org.mscclj.spi.waiting.Backoff;

/** The copies of one rank between its device and pinned memory, in each direction. Each is created at its first use. */
final class HostCopies implements AutoCloseable {
    /** Far longer than any copy takes. */
    private static final Duration LONGEST = Duration.ofSeconds(20);

    private final BackendDevice device;
    private @Nullable StagingCopies leaving;
    private @Nullable StagingCopies arriving;

    HostCopies(BackendDevice device) {
        this.device = device;
    }

    /** Returns the copies to the host. */
    synchronized StagingCopies leaving() {
        StagingCopies copies = leaving;
        if (copies == null) {
            copies = device.createStagingCopies();
            leaving = copies;
        }
        return copies;
    }

    /** Returns the copies to the device. */
    synchronized StagingCopies arriving() {
        StagingCopies copies = arriving;
        if (copies == null) {
            copies = device.createStagingCopies();
            arriving = copies;
        }
        return copies;
    }

    /**
     * Waits until copies have ended. On a device that has failed, none are in progress.
     *
     * @param number the number of the last one
     * @throws BackendException if they take far too long: their memory must not be freed
     */
    static void await(StagingCopies copies, long number) {
        Backoff backoff = Backoff.forDevices();
        backoff.start(LONGEST);
        if (!backoff.awaitUninterruptibly(() -> hasEnded(copies, number))) {
            throw new BackendException(
                    "a copy between a device and pinned memory has not ended after " + LONGEST.toSeconds() + " s",
                    0,
                    "");
        }
    }

    private static boolean hasEnded(StagingCopies copies, long number) {
        try {
            return copies.ended() >= number;
        } catch (BackendException _) {
            return true; // the device has failed, and its users are notified of that
        }
    }

    @Override
    public synchronized void close() {
        if (leaving != null) {
            leaving.close();
        }
        if (arriving != null) {
            arriving.close();
        }
    }
}
