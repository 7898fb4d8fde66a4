package org.mscclj.cli.check;

import java.io.PrintWriter;
import java.util.Optional;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.PlainText;

/** Tells what was found on the way, and keeps why the whole is not right. Safe for use by several threads. */
public final class FindingLog {
    private final PrintWriter notes;
    private Optional<String> failure = Optional.empty();

    /**
     * An empty log.
     *
     * @param notes takes a line for each finding
     */
    public FindingLog(PrintWriter notes) {
        this.notes = notes;
    }

    /** What was found after a launch. */
    public synchronized void tell(Verdict verdict) {
        for (String sentence : verdict.sentences()) {
            notes.println("mscclj: " + PlainText.escape(sentence));
            failure = failure.or(() -> Optional.of(sentence));
        }
        notes.flush();
    }

    /** The ranks could not go on. */
    public synchronized void failed(MsccljException e) {
        failure = Optional.of(String.valueOf(e.getMessage()));
    }

    /** Why the whole is not right: what ended it, else the first that was found; empty if it is right. */
    public synchronized Optional<String> failure() {
        return failure;
    }
}
