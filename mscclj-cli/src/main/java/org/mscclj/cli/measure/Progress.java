package org.mscclj.cli.measure;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mscclj.cli.check.CallShape;

/**
 * Says what is under way, in a line on the standard error: at once, or only if there is no result after some time. Safe
 * for use by several threads.
 */
public final class Progress {
    /** After so long without a word, users ask whether a command still works. */
    public static final Duration USUAL_PATIENCE = Duration.ofSeconds(5);

    private final PrintWriter notes;
    private final Duration patience;
    private @Nullable CountDownLatch over;

    /**
     * Nothing is under way.
     *
     * @param notes takes the lines
     * @param patience how long nothing is said; zero to say everything at once
     */
    public Progress(PrintWriter notes, Duration patience) {
        this.notes = notes;
        this.patience = patience;
    }

    /** The measurement of a size begins, and that of another is over. */
    public void measuring(int number, int of, CallShape shape, Optional<String> mode) {
        begin("measuring size " + number + " of " + of + ": " + shape.messageBytes() + " bytes"
                + mode.map(text -> " " + text).orElse(""));
    }

    /** Something begins, and something else is over. */
    public synchronized void begin(String line) {
        end();
        if (patience.isZero()) {
            tell(line);
        } else {
            CountDownLatch mine = new CountDownLatch(1);
            over = mine;
            Thread.ofPlatform().daemon().name("mscclj-progress").start(() -> tellLate(line, mine));
        }
    }

    /** There is a result, or there will be none. */
    public synchronized void end() {
        if (over != null) {
            over.countDown();
            over = null;
        }
    }

    /** Says a line unless its result comes in time. */
    void tellLate(String line, CountDownLatch mine) {
        try {
            if (!mine.await(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                tell(line);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // the thread ends
        }
    }

    private void tell(String line) {
        notes.println(line);
        notes.flush();
    }
}
