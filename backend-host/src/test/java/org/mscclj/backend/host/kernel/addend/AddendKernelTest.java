package org.mscclj.backend.host.kernel.addend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.lang.foreign.Arena;
import java.math.BigInteger;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.backend.host.kernel.Elements;
import org.mscclj.backend.host.kernel.Reference;
import org.mscclj.backend.host.kernel.reduce.ReduceKernel;
import org.mscclj.spi.engine.SumForm;

/** Contributions of any ranks become addends, these are added up as plans do, and the sums become results. */
class AddendKernelTest {
    private static final int COUNT = 37;

    @Property(tries = 400)
    void averagesOfIntegersAreExactAndTruncate(
            @ForAll DataType type, @ForAll @IntRange(min = 2, max = 300) int ranks, @ForAll long seed) {
        if (type.isFloat()) {
            return;
        }
        Sum sum = new Sum(type, ReduceOp.AVG, ranks, seed);
        for (int i = 0; i < COUNT; i++) {
            BigInteger total = BigInteger.ZERO;
            for (int rank = 0; rank < ranks; rank++) {
                total = total.add(Reference.integer(type, sum.contribution(rank, i)));
            }
            long right = Reference.bits(type, total.divide(BigInteger.valueOf(ranks)));
            assertEquals(right, sum.result(i), type + ", " + ranks + " ranks, element " + i);
        }
    }

    @Property(tries = 200)
    void averagesOfEqualFloatsAreTheValue(
            @ForAll DataType type, @ForAll @IntRange(min = 2, max = 64) int ranks, @ForAll long seed) {
        // Sums in float32 are exact then.
        if (!type.isFloat() || SumForm.of(type, ReduceOp.Kind.AVG, ranks).isInPlaceOf(type)) {
            return;
        }
        Sum sum = new Sum(type, ReduceOp.AVG, ranks, seed, 1);
        for (int i = 0; i < COUNT; i++) {
            double value = Reference.decode(type, sum.contribution(0, i));
            if (Double.isFinite(value)) {
                assertEquals(
                        value, Reference.decode(type, sum.result(i)), type + ", " + ranks + " ranks, element " + i);
            }
        }
    }

    @Property(tries = 200)
    void premultipliedSumsOfIntegersWrap(
            @ForAll DataType type,
            @ForAll @IntRange(min = 1, max = 20) int ranks,
            @ForAll @IntRange(min = -1000, max = 1000) int factor,
            @ForAll long seed) {
        if (type.isFloat()) {
            return;
        }
        Sum sum = new Sum(type, ReduceOp.premulSum(factor), ranks, seed);
        for (int i = 0; i < COUNT; i++) {
            BigInteger total = BigInteger.ZERO;
            for (int rank = 0; rank < ranks; rank++) {
                BigInteger element = Reference.integer(type, sum.contribution(rank, i));
                total = total.add(element.multiply(BigInteger.valueOf(factor)));
            }
            assertEquals(Reference.bits(type, total), sum.result(i), type + ", " + ranks + " ranks, element " + i);
        }
    }

    /** A sum over ranks. */
    private static final class Sum {
        private final DataType type;
        private final long[][] contributions;
        private final long[] results = new long[COUNT];

        Sum(DataType type, ReduceOp op, int ranks, long seed) {
            this(type, op, ranks, seed, ranks);
        }

        /** Of so many different contributions, which ranks take by turns. */
        Sum(DataType type, ReduceOp op, int ranks, long seed, int different) {
            this.type = type;
            this.contributions = new long[different][COUNT];
            SumForm form = SumForm.of(type, op.kind(), ranks);
            AddendKernel kernel = AddendKernel.of(type, form);
            ReduceKernel reduction = ReduceKernel.of(form.type(), ReduceOp.Kind.SUM);
            double factor = op.kind() == ReduceOp.Kind.AVG ? form.scale() : op.factor();
            Random random = new Random(seed);
            try (Arena arena = Arena.ofConfined()) {
                Elements elements = new Elements(arena, type, COUNT, 1);
                Elements addends = new Elements(arena, form.type(), (long) COUNT * form.addends(), 3);
                Elements sums = new Elements(arena, form.type(), (long) COUNT * form.addends(), 5);
                for (int rank = 0; rank < ranks; rank++) {
                    if (rank < different) {
                        elements.fillRandom(random);
                        for (int i = 0; i < COUNT; i++) {
                            contributions[rank][i] = elements.get(i);
                        }
                    }
                    Elements to = rank == 0 ? sums : addends;
                    kernel.contribute(elements.address(), to.address(), COUNT, factor);
                    if (rank > 0) {
                        reduction.reduce(sums.address(), sums.address(), addends.address(), sums.bytes());
                    }
                }
                kernel.finish(sums.address(), elements.address(), COUNT);
                for (int i = 0; i < COUNT; i++) {
                    results[i] = elements.get(i);
                }
                assertFalse(elements.spilled() || addends.spilled() || sums.spilled(), "wrote outside, " + type);
            }
        }

        long contribution(int rank, int index) {
            return contributions[rank % contributions.length][index];
        }

        long result(int index) {
            return results[index];
        }
    }
}
