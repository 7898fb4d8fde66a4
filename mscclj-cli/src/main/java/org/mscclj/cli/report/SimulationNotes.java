package org.mscclj.cli.report;

import java.io.PrintWriter;
import java.util.Locale;
import org.mscclj.plan.simulate.SimulationProgress;

/** Tells how far a long simulation is, every few seconds. */
public final class SimulationNotes implements SimulationProgress {
    private static final long INTERVAL_NANOS = 5_000_000_000L;
    private static final double PERCENT = 100;

    private final PrintWriter notes;
    private long last = System.nanoTime();

    /**
     * Nothing told yet.
     *
     * @param notes takes a line each time
     */
    public SimulationNotes(PrintWriter notes) {
        this.notes = notes;
    }

    @Override
    public void simulated(long done, long all) {
        long now = System.nanoTime();
        if (now - last >= INTERVAL_NANOS) {
            last = now;
            notes.printf(Locale.ROOT, "simulated %d of %d operations (%.0f %%)%n", done, all, PERCENT * done / all);
            notes.flush();
        }
    }
}
