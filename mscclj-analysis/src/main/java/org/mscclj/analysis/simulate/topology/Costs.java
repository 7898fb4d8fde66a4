package org.mscclj.analysis.simulate.topology;

import java.util.Optional;

/**
 * The costs of operations in nanoseconds, and the speed of blocks.
 *
 * @param launch from the launch until blocks begin
 * @param begin from the start of a block until its first operation, if its moves are not fused
 * @param operation from the start of a data operation until its first byte moves
 * @param order costs of operations that order others
 * @param trigger from the request of a block until the proxy of a port channel sees it
 * @param post time of the proxy (one for each rank) for each request
 * @param rates speed of one block whose moves are not fused
 * @param fused costs of blocks whose moves are fused; empty if engines fuse none
 */
public record Costs(
        double launch,
        double begin,
        double operation,
        OrderCosts order,
        double trigger,
        double post,
        BlockRates rates,
        Optional<FusedCosts> fused) {
    /** Checks the numbers. */
    public Costs {
        Positive.nanos("launch", launch);
        Positive.nanos("begin", begin);
        Positive.nanos("operation", operation);
        Positive.nanos("proxy_trigger", trigger);
        Positive.nanos("proxy_post", post);
    }

    Costs scaled(double launchFactor, double latencyFactor, double rateFactor) {
        return new Costs(
                launch * launchFactor,
                begin * launchFactor,
                operation * latencyFactor,
                order.scaled(latencyFactor),
                trigger * latencyFactor,
                post * latencyFactor,
                rates.scaled(rateFactor),
                fused.map(costs -> costs.scaled(launchFactor, latencyFactor)));
    }
}
