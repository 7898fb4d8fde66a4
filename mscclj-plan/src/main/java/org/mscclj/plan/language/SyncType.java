package org.mscclj.plan.language;

/**
 * Where all threads of a block meet around an operation that synchronises, so that it orders what all of them have
 * done.
 */
public enum SyncType {
    /** Nowhere: the operation orders nothing of the other threads. */
    NONE(false, false),
    /** Before it: what the block has done so far is done when it begins. */
    BEFORE(true, false),
    /** After it: no thread goes on before it has ended. */
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
