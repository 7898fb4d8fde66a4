package org.mscclj.support.interpreter;

/**
 * A part of the range of each operation, in bytes: what one iteration of a pipeline handles.
 *
 * @param from its start
 * @param to its end, exclusive; may lie beyond the range
 */
record Part(long from, long to) {
    /** All of the range. */
    static final Part WHOLE = new Part(0, Long.MAX_VALUE);

    /** The part of a range of this length, whose positions are inside the range. */
    Part within(long length) {
        return new Part(Math.min(from, length), Math.min(to, length));
    }
}
