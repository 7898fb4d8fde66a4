package org.mscclj.analysis.simulate.topology;

/**
 * The costs of operations in nanoseconds, and the speed of blocks.
 *
 * @param launch from the launch until blocks begin
 * @param operation from the start of a data operation until its first byte moves
 * @param order costs of operations that order others
 * @param trigger from the request of a block until the proxy of a port channel sees it
 * @param post time of the proxy (one for each rank) for each request
 * @param rates speed of one block
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
