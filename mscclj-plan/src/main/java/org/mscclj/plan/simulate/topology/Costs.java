package org.mscclj.plan.simulate.topology;

/**
 * What operations cost, in nanoseconds, and how fast blocks are.
 *
 * @param launch from the launch until blocks begin
 * @param operation what every operation that moves data takes before its first byte moves
 * @param order operations that order
 * @param trigger from a block's hand-over until the proxy of a port channel sees it
 * @param post what the proxy, of which a rank has one, takes for each operation
 * @param rates how fast one block is
 */
public record Costs(double launch, double operation, OrderCosts order, double trigger, double post, BlockRates rates) {
    /** Checks the numbers. */
    public Costs {
        Positive.nanos("launch", launch);
        Positive.nanos("operation", operation);
        Positive.nanos("proxy_trigger", trigger);
        Positive.nanos("proxy_post", post);
    }

    Costs scaled(double latencyFactor, double rateFactor) {
        return new Costs(
                launch,
                operation * latencyFactor,
                order.scaled(latencyFactor),
                trigger * latencyFactor,
                post * latencyFactor,
                rates.scaled(rateFactor));
    }

    Costs withLaunch(double nanos) {
        return new Costs(nanos, operation, order, trigger, post, rates);
    }
}
