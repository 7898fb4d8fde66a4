package org.mscclj.backend.host.step.sync;

import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** The counting semaphores of a rank. Release and acquire are atomic, and order the accesses before and after them. */
public final class Semaphores {
    private static final int STRIDE = 32;

    private final int[] initialValues;
    private final AtomicIntegerArray values;

    /** Semaphores with initial values. */
    public Semaphores(List<Integer> initialValues) {
        this.initialValues = initialValues.stream().mapToInt(Integer::intValue).toArray();
        this.values = new AtomicIntegerArray(this.initialValues.length * STRIDE);
    }

    /** Resets every semaphore to its initial value; no block may be running. */
    public void reset() {
        for (int i = 0; i < initialValues.length; i++) {
            values.set(i * STRIDE, initialValues[i]);
        }
    }

    public boolean tryAcquire(int id) {
        int value;
        do {
            value = values.get(id * STRIDE);
            if (value <= 0) {
                return false;
            }
        } while (!values.compareAndSet(id * STRIDE, value, value - 1));
        return true;
    }

    public void release(int id) {
        values.getAndIncrement(id * STRIDE);
    }
}
