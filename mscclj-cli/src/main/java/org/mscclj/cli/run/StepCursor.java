package org.mscclj.cli.run;

import java.util.OptionalInt;

/** The position of this process in a sequence of runs. Safe for use by several threads. */
final class StepCursor {
    private int next;
    private boolean begun;

    /** Returns the first run that has not started in this process. */
    synchronized int next() {
        return next;
    }

    /** Called when a new communicator is opened. */
    synchronized void open() {
        begun = false;
    }

    synchronized void begin(int step) {
        next = step + 1;
        begun = true;
    }

    /** Returns the run in which the communicator failed; empty if it was not used yet. */
    synchronized OptionalInt interrupted() {
        return begun ? OptionalInt.of(next - 1) : OptionalInt.empty();
    }
}
