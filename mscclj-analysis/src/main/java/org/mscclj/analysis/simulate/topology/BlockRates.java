package org.mscclj.analysis.simulate.topology;

/**
 * The speed of one thread block without other bottlenecks, in bytes per nanosecond.
 *
 * @param copy bytes that a plain copy stores
 * @param reduce bytes of operands that a reduction reads
 * @param packets payload bytes of packets read or written
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
