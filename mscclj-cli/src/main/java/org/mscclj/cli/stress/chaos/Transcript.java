package org.mscclj.cli.stress.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.mscclj.cli.stress.fault.FaultResult;

/** What ranks have said in a case, and what of it is wrong. */
final class Transcript {
    private final FaultResult result;
    private final Duration allowed;
    private final long begun = System.nanoTime();
    private final List<String> lines = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();

    /**
     * Of a case that begins.
     *
     * @param result is given all times
     * @param allowed what it may take until a rank has named one that was harmed
     */
    Transcript(FaultResult result, Duration allowed) {
        this.result = result;
        this.allowed = allowed;
    }

    /** Something has happened. */
    void add(String line) {
        lines.add(String.format(Locale.ROOT, "at %.0f ms: %s", (System.nanoTime() - begun) / 1e6, line));
    }

    /** Something is wrong. */
    void wrong(String what) {
        wrong.add(what);
    }

    /**
     * A rank's call has failed.
     *
     * @param kind of what was going on
     * @param since when the harm was done, or the call made, whichever is later
     * @param naming the harmed ranks, by their numbers in the communicator that {@code said} is about
     */
    void judge(String kind, int rank, Said said, long since, Naming naming) {
        double millis = (said.nanos() - since) / 1e6;
        result.measured(kind, said.nanos() - since, allowed);
        add(String.format(Locale.ROOT, "%s: rank %d says after %.0f ms %s", kind, rank, millis, said.report()));
        if (millis > allowed.toMillis()) {
            wrong(String.format(Locale.ROOT, "rank %d took %.0f ms, allowed: %d", rank, millis, allowed.toMillis()));
        }
        if (!naming.isRight(said.report())) {
            wrong("rank " + rank + " must name some of ranks " + naming.harmed() + " and no other, and says "
                    + said.report());
        }
    }

    boolean isRight() {
        return wrong.isEmpty();
    }

    /**
     * Ends a case that cannot go on.
     *
     * @throws IllegalStateException if something is wrong
     */
    void requireRight() {
        if (!isRight()) {
            throw new IllegalStateException("the case cannot go on");
        }
    }

    /** All of it. */
    String text() {
        return String.join("\n      ", wrong) + "\n    what happened:\n      " + String.join("\n      ", lines);
    }
}
