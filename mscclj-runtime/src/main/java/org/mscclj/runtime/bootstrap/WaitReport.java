package org.mscclj.runtime.bootstrap;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.mscclj.api.error.DurationText;
import org.mscclj.runtime.time.Deadline;

/**
 * Reports to the user that a rank still waits at the rendezvous: after 10 s, and each time that the wait has doubled.
 * The user therefore notices a wrong number of ranks long before the timeout. Used by one thread.
 */
final class WaitReport {
    private static final Duration FIRST = Duration.ofSeconds(10);

    private static final System.Logger LOGGER = System.getLogger(WaitReport.class.getName());

    private final Consumer<String> log;
    private final Deadline begin = Deadline.after(Duration.ZERO);
    private Duration waited;

    /**
     * Begins the wait.
     *
     * @param first how long the rank waits before the first report
     * @param log receives the reports
     */
    WaitReport(Duration first, Consumer<String> log) {
        this.waited = first;
        this.log = log;
    }

    /** Begins the wait, and reports it in the log of the VM. */
    static WaitReport begin() {
        return new WaitReport(FIRST, text -> LOGGER.log(Level.INFO, text));
    }

    /** Returns the nanoseconds until the next report. */
    long left() {
        return begin.later(waited).left();
    }

    /** Makes the report if it is due. It ends with how long the rank has waited, and with its timeout. */
    void tell(Duration timeout, Supplier<String> what) {
        if (left() == 0) {
            log.accept(what.get() + ", for " + DurationText.of(waited) + " now; the timeout is "
                    + DurationText.of(timeout));
            do { // once, also if this process was stopped in the meantime
                waited = waited.multipliedBy(2);
            } while (left() == 0);
        }
    }
}
