package org.mscclj.cli.report;

import java.io.PrintWriter;
import java.util.Locale;
import org.mscclj.analysis.simulate.SimulationProgress;

/** Prints the progress of a long simulation every few seconds. */
public final class SimulationNotes implements SimulationProgress {
    private static final long INTERVAL_NANOS = 5_000_000_000L;
    private static final double PERCENT = 100;

    private final PrintWriter notes;
    private long last = System.nanoTime();

    /**
     * Creates notes of a simulation that starts now.
     *
     * @param notes receives the lines
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
