package org.mscclj.cli.measure;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mscclj.cli.check.CheckedCall;

/**
 * Prints the current step in a line on the standard error: at once, or only if there is no result after some time. Safe
 * for use by several threads.
 */
public final class ProgressLine {
    /** Time without output after which users wonder whether a command still works. */
    public static final Duration DEFAULT_DELAY = Duration.ofSeconds(5);

    private final PrintWriter notes;
    private final Duration delay;
    private @Nullable CountDownLatch over;

    /**
     * Creates a progress without a current step.
     *
     * @param notes receives the lines
     * @param delay the time after which a step is printed; zero to print every step at once
     */
    public ProgressLine(PrintWriter notes, Duration delay) {
        this.notes = notes;
        this.delay = delay;
    }

    /** Starts the step that measures a size, and ends the previous step. */
    public void measuring(int number, int of, CheckedCall shape, Optional<String> mode) {
        begin("measuring size " + number + " of " + of + ": " + shape.messageBytes() + " bytes"
                + mode.map(text -> " " + text).orElse(""));
    }

    /** Starts a step, and ends the previous one. */
    public synchronized void begin(String line) {
        end();
        if (delay.isZero()) {
            print(line);
        } else {
            CountDownLatch mine = new CountDownLatch(1);
            over = mine;
            Thread.ofPlatform().daemon().name("mscclj-progress").start(() -> tellLate(line, mine));
        }
    }

    /** Ends the current step. */
    public synchronized void end() {
        if (over != null) {
            over.countDown();
            over = null;
        }
    }

    /** Prints a line unless its step ends in time. */
    void tellLate(String line, CountDownLatch mine) {
        try {
            if (!mine.await(delay.toNanos(), TimeUnit.NANOSECONDS)) {
                print(line);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // the thread ends
        }
    }

    private void print(String line) {
        notes.println(line);
        notes.flush();
    }
}
