package org.mscclj.language;

/**
 * Where all threads of a block synchronise around a signal, wait or similar operation, so that the operation orders the
 * accesses of all of them.
 */
public enum SyncType {
    /** No synchronisation: the operation orders nothing of the other threads. */
    NONE(false, false),
    /** Before it: all earlier accesses of the block are complete when it begins. */
    BEFORE(true, false),
    /** After it: no thread continues before it has ended. */
    AFTER(false, true),
    /** Before and after it. */
    BOTH(true, true);

    private final boolean before;
    private final boolean after;

    SyncType(boolean before, boolean after) {
        this.before = before;
        this.after = after;
    }

    boolean before() {
        return before;
    }

    boolean after() {
        return after;
    }
}
