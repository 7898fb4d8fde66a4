package org.mscclj.plan.simulate.topology;

/**
 * How long operations that order take, beyond what they wait for, in nanoseconds.
 *
 * @param signal a signal that releases, until it is on its way
 * @param relaxedSignal a signal that releases nothing
 * @param await from the arrival of the last signal until the block goes on
 * @param meeting the threads of a block meet
 * @param barrier the blocks of a rank meet
 * @param semaphore to take from a semaphore, or to add to it
 */
public record OrderCosts(
        double signal, double relaxedSignal, double await, double meeting, double barrier, double semaphore) {
    /** Checks the numbers. */
    public OrderCosts {
        Positive.nanos("signal", signal);
        Positive.nanos("relaxed_signal", relaxedSignal);
        Positive.nanos("wait", await);
        Positive.nanos("nop", meeting);
        Positive.nanos("barrier", barrier);
        Positive.nanos("semaphore", semaphore);
    }

    OrderCosts scaled(double factor) {
        return new OrderCosts(
                signal * factor,
                relaxedSignal * factor,
                await * factor,
                meeting * factor,
                barrier * factor,
                semaphore * factor);
    }
}
