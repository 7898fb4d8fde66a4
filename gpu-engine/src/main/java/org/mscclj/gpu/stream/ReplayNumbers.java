package org.mscclj.gpu.stream;

import java.util.concurrent.atomic.AtomicLong;

/** Numbers that define the order in which the locks of several {@link ReplayOrder}s are taken. */
final class ReplayNumbers {
    private static final AtomicLong LAST = new AtomicLong();

    private ReplayNumbers() {}

    static long next() {
        return LAST.incrementAndGet();
    }
}
