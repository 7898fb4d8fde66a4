package org.mscclj.cli.check;

import java.io.PrintWriter;
import java.util.Optional;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.PlainText;

/**
 * Prints findings as they occur, and keeps the first reason why the run has failed. Safe for use by several threads.
 */
public final class FindingLog {
    private final PrintWriter notes;
    private Optional<String> failure = Optional.empty();

    /**
     * Creates an empty log.
     *
     * @param notes receives a line for each finding
     */
    public FindingLog(PrintWriter notes) {
        this.notes = notes;
    }

    /** Adds the verdict on a launch. */
    public synchronized void add(LaunchFindings verdict) {
        for (String sentence : verdict.sentences()) {
            notes.println("mscclj: " + PlainText.escape(sentence));
            failure = failure.or(() -> Optional.of(sentence));
        }
        notes.flush();
    }

    /** Adds an error that has ended the ranks. */
    public synchronized void failed(MsccljException e) {
        failure = Optional.of(String.valueOf(e.getMessage()));
    }

    /** Returns why the run has failed: the error that ended it, or else the first finding; empty if it succeeded. */
    public synchronized Optional<String> failure() {
        return failure;
    }
}
