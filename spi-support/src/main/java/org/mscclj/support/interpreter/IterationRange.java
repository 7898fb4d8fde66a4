package org.mscclj.support.interpreter;

/**
 * A part of the range of each operation, in bytes: what one iteration of a pipeline handles.
 *
 * @param from its start
 * @param to its end, exclusive; may lie beyond the range
 */
record IterationRange(long from, long to) {
    /** All of the range. */
    static final IterationRange WHOLE = new IterationRange(0, Long.MAX_VALUE);

    /** The part of a range of this length, whose positions are inside the range. */
    IterationRange within(long length) {
        return new IterationRange(Math.min(from, length), Math.min(to, length));
    }
}
