package org.mscclj.cli.run;

import java.util.OptionalInt;

/** How far this process has come with several runs. Safe for use by several threads. */
final class StepCursor {
    private int next;
    private boolean begun;

    /** The first that has not begun here. */
    synchronized int next() {
        return next;
    }

    /** Another communicator is opened. */
    synchronized void open() {
        begun = false;
    }

    synchronized void begin(int step) {
        next = step + 1;
        begun = true;
    }

    /** What the communicator was used for when it failed; empty if it was not used yet. */
    synchronized OptionalInt interrupted() {
        return begun ? OptionalInt.of(next - 1) : OptionalInt.empty();
    }
}
