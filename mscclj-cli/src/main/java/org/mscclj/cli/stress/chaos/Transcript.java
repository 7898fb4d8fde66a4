package org.mscclj.cli.stress.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.mscclj.cli.stress.fault.FaultResult;

/** The events of a case, with its failures. */
final class Transcript {
    private final FaultResult result;
    private final Duration allowed;
    private final long begun = System.nanoTime();
    private final List<String> lines = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();

    /**
     * Creates the transcript of a case.
     *
     * @param result receives all times
     * @param allowed the time limit for naming a harmed rank
     */
    Transcript(FaultResult result, Duration allowed) {
        this.result = result;
        this.allowed = allowed;
    }

    /** Adds an event. */
    void add(String line) {
        lines.add(String.format(Locale.ROOT, "at %.0f ms: %s", (System.nanoTime() - begun) / 1e6, line));
    }

    /** Adds a failure. */
    void wrong(String what) {
        wrong.add(what);
    }

    /**
     * Adds the failed call of a rank.
     *
     * @param kind the kind of call
     * @param since the time of the fault or of the call, whichever is later
     * @param naming the harmed ranks, by their numbers in the communicator of the report
     */
    void judge(String kind, int rank, CallEnd said, long since, Naming naming) {
        double millis = (said.nanos() - since) / 1e6;
        result.measured(kind, said.nanos() - since, allowed);
        add(String.format(Locale.ROOT, "%s: rank %d reports after %.0f ms %s", kind, rank, millis, said.report()));
        if (millis > allowed.toMillis()) {
            wrong(String.format(Locale.ROOT, "rank %d took %.0f ms, allowed: %d", rank, millis, allowed.toMillis()));
        }
        if (!naming.isRight(said.report())) {
            wrong("rank " + rank + " must name some of ranks " + naming.harmed() + " and no other, and reports "
                    + said.report());
        }
    }

    boolean isRight() {
        return wrong.isEmpty();
    }

    /**
     * Ends a case that cannot continue.
     *
     * @throws IllegalStateException if the case has a failure
     */
    void requireRight() {
        if (!isRight()) {
            throw new IllegalStateException("the case cannot continue");
        }
    }

    /** Returns all events. */
    String text() {
        return String.join("\n      ", wrong) + "\n    what happened:\n      " + String.join("\n      ", lines);
    }
}
