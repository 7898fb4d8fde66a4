package org.mscclj.runtime.recorder;

import java.time.Duration;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.engine.LaunchOrder;

/** Recorders that do not depend on how busy the machine is. */
public final class TestRecorders {
    /** With drivers: longer than a machine may be busy. */
    public static final Duration TIMEOUT = Duration.ofSeconds(30);

    private TestRecorders() {}

    /** A recorder that waits long for drivers. */
    public static FlightRecorder patient(int entries, LaunchOrder order, AbortFlag abort) {
        return with(TIMEOUT, entries, order, abort);
    }

    /** A recorder that waits so long for drivers. */
    static FlightRecorder with(Duration timeout, int entries, LaunchOrder order, AbortFlag abort) {
        return new FlightRecorder(entries, order, abort, new CoarseClock(), timeout);
    }

    /**
     * A recorder to which it is always the same time.
     *
     * @param nanos when, as of {@link System#nanoTime}
     */
    public static FlightRecorder at(long nanos, int entries, LaunchOrder order, AbortFlag abort) {
        CoarseClock clock = new CoarseClock();
        long _ = clock.nanoTime(); // somebody asks, so that the time is kept
        clock.tick(nanos);
        return new FlightRecorder(entries, order, abort, clock, TIMEOUT);
    }
}
