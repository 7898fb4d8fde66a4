package org.mscclj.analysis.simulate.topology;

/**
 * The costs of operations that order others, beyond their waits, in nanoseconds.
 *
 * @param signal a signal that releases, until it leaves
 * @param relaxedSignal a signal that releases nothing
 * @param await from the arrival of the last signal until the block continues
 * @param threadSync synchronisation of the threads of a block
 * @param barrier synchronisation of blocks of a rank
 * @param semaphore acquisition or release of a semaphore
 */
public record OrderCosts(
        double signal, double relaxedSignal, double await, double threadSync, double barrier, double semaphore) {
    /** Checks the numbers. */
    public OrderCosts {
        Positive.nanos("signal", signal);
        Positive.nanos("relaxed_signal", relaxedSignal);
        Positive.nanos("wait", await);
        Positive.nanos("nop", threadSync);
        Positive.nanos("barrier", barrier);
        Positive.nanos("semaphore", semaphore);
    }

    OrderCosts scaled(double factor) {
        return new OrderCosts(
                signal * factor,
                relaxedSignal * factor,
                await * factor,
                threadSync * factor,
                barrier * factor,
                semaphore * factor);
    }
}
