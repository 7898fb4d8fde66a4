package org.mscclj.cli.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.check.Sources;

/** The formulas of nccl-tests, worked out by hand: 4 ranks, slices of 250 float32, 2 microseconds. */
class BandwidthTest {
    private static CheckedCall shape(Collective collective, int ranks, long count) {
        return new CheckedCall(collective, ranks, false, count, DataType.FLOAT32, ReduceOp.NOP, Sources.root(0));
    }

    @ParameterizedTest
    @CsvSource({
        // collective, size in bytes, algbw and busbw in GB/s
        "ALLREDUCE, 1000, 0.5, 0.75",
        "ALLGATHER, 4000, 2, 1.5",
        "REDUCESCATTER, 4000, 2, 1.5",
        "ALLTOALL, 4000, 2, 1.5",
        "BROADCAST, 1000, 0.5, 0.5",
        "REDUCE, 1000, 0.5, 0.5",
        "SCATTER, 4000, 2, 1.5",
        "GATHER, 1000, 0.5, 1.5",
        "SENDRECV, 1000, 0.5, 0.5",
    })
    void areThoseOfNcclTests(Collective collective, long bytes, double algbw, double busbw) {
        CheckedCall shape = shape(collective, 4, 250);
        assertEquals(bytes, shape.messageBytes());
        assertEquals(algbw, Bandwidth.algorithm(shape, OptionalDouble.of(2)).orElseThrow(), 1e-12);
        assertEquals(busbw, Bandwidth.bus(shape, OptionalDouble.of(2)).orElseThrow(), 1e-12);
    }

    @Test
    void oneRankMovesNothing() {
        assertEquals(
                0,
                Bandwidth.bus(shape(Collective.ALLREDUCE, 1, 250), OptionalDouble.of(2))
                        .orElseThrow());
    }

    @Test
    void withoutTimeThereIsNone() {
        CheckedCall shape = shape(Collective.ALLREDUCE, 4, 250);
        assertTrue(Bandwidth.algorithm(shape, OptionalDouble.empty()).isEmpty());
        assertTrue(Bandwidth.bus(shape, OptionalDouble.of(0)).isEmpty());
    }
}
