package org.mscclj.plan.simulate.topology;

/**
 * How fast one thread block is when nothing else holds it up, bytes per nanosecond.
 *
 * @param copy bytes that it stores, plain
 * @param reduce bytes of operands that it reads to reduce them
 * @param packets payload of packets that it reads or writes
 */
public record BlockRates(double copy, double reduce, double packets) {
    /** Checks the numbers. */
    public BlockRates {
        Positive.bandwidth("block_copy", copy);
        Positive.bandwidth("block_reduce", reduce);
        Positive.bandwidth("block_packets", packets);
    }

    BlockRates scaled(double factor) {
        return new BlockRates(copy * factor, reduce * factor, packets * factor);
    }
}
