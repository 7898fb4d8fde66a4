package org.mscclj.backend.host.kernel.reduce;

/** A scalar reduction, which also handles the rest of a buffer that a vector kernel leaves. */
interface ScalarReduce extends ReduceKernel {
    /** The n-ary reduction of the bytes {@code [from, to)} of each buffer. */
    void reduce(long destination, long[] sources, int count, long from, long to);

    @Override
    default void reduce(long destination, long[] sources, int count, long bytes) {
        reduce(destination, sources, count, 0, bytes);
    }
}
