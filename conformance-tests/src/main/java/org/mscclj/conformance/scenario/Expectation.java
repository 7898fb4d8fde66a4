package org.mscclj.conformance.scenario;

import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.element.ElementCodec;
import org.mscclj.conformance.element.Reduction;

/** The correct output of a rank, element by element, by the definition of the collective. Used by one thread. */
public final class Expectation {
    private final TestCase test;
    private final CaseData data;
    private final Reduction reduction;
    private final ElementCodec codec;

    /** Whether the result is a sum that is exact in float64, and rounded once. */
    private final boolean isRoundedSum;

    /** Creates the expectation of a case. */
    public Expectation(TestCase test, CaseData data) {
        this(test, data, test.op());
    }

    /** Creates the expectation of a case with another operation. */
    public Expectation(TestCase test, CaseData data, ReduceOp op) {
        this.test = test;
        this.data = data;
        this.reduction = Reduction.of(test.type(), op.equals(ReduceOp.NOP) ? ReduceOp.SUM : op, test.world());
        this.isRoundedSum = !isScaled(op) && (test.data() == DataShape.ROUNDED || test.data() == DataShape.OVERFLOWING);
        this.codec = new ElementCodec(test.type().isFloat() ? test.type() : DataType.FLOAT64);
    }

    private static boolean isScaled(ReduceOp op) {
        return op.kind() != op.kind().combiner();
    }

    /** Returns whether the collective has a result for a rank. The outputs of other ranks stay unchanged. */
    public boolean defines(int rank) {
        return switch (test.collective()) {
            case REDUCE, GATHER -> rank == test.root();
            default -> true;
        };
    }

    /** Returns whether bits are correct for an element of a rank's output. */
    public boolean accepts(int rank, long index, long bits) {
        if (!test.collective().reduces()) {
            return bits == moved(rank, index);
        }
        long from = source(rank, index);
        if (isRoundedSum) {
            return bits == roundedSum(from);
        }
        reduce(from);
        return reduction.accepts(bits);
    }

    /** Describes the correct element. */
    public String expected(int rank, long index) {
        if (!test.collective().reduces()) {
            return "0x" + Long.toHexString(moved(rank, index));
        }
        long from = source(rank, index);
        if (isRoundedSum) {
            return reduction.text(roundedSum(from));
        }
        reduce(from);
        return reduction.expected();
    }

    /** Describes an element. */
    public String text(long bits) {
        return test.collective().reduces() ? reduction.text(bits) : "0x" + Long.toHexString(bits);
    }

    private void reduce(long from) {
        reduction.start();
        for (int rank = 0; rank < test.world(); rank++) {
            reduction.add(data.input(rank, from));
        }
        reduction.finish();
    }

    /**
     * Returns the sum, exact in float64, and rounded once. Cases of this kind have two ranks, so that no intermediate
     * result is stored.
     */
    private long roundedSum(long from) {
        double sum = 0;
        for (int rank = 0; rank < test.world(); rank++) {
            sum += codec.decode(data.input(rank, from));
        }
        return codec.encode(sum);
    }

    private long source(int rank, long index) {
        return test.collective() == Collective.REDUCESCATTER ? rank * test.count() + index : index;
    }

    private long moved(int rank, long index) {
        long slice = test.count() == 0 ? 0 : index / test.count();
        return switch (test.collective()) {
            case ALLGATHER, GATHER -> data.input((int) slice, index % test.count());
            case ALLTOALL -> data.input((int) slice, rank * test.count() + index % test.count());
            case SCATTER -> data.input(test.root(), rank * test.count() + index);
            default -> data.input(test.root(), index);
        };
    }
}
