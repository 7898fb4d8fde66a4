package org.mscclj.backend.host.kernel.scale;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.DataType;
import org.mscclj.backend.host.kernel.Elements;
import org.mscclj.backend.host.kernel.Reference;
import org.mscclj.backend.host.kernel.Twin;

class ScaleKernelTest {
    private static final long SEED = System.nanoTime();
    private static final double[] FACTORS = {0.5, 1.0 / 3, -7, 1e-5, 1e300, 0};
    private static final double[] INTEGER_FACTORS = {0, 1, -1, 3, 1000, -0x1p63, 0x1p62};
    private static final double[] DIVISORS = {1, 0.75, 0.5625, 3, 7, 8, 1000, 0x1p40};

    @BeforeAll
    static void printSeed() {
        System.out.println("scaling: seed " + SEED);
    }

    @ParameterizedTest
    @EnumSource
    void multipliesLikeTheReference(DataType type) {
        for (Twin twin : Twin.values()) {
            ScaleKernel kernel = kernel(twin, type);
            for (double factor : type.isFloat() ? FACTORS : INTEGER_FACTORS) {
                check(
                        type,
                        twin + " times " + factor,
                        elements -> kernel.scale(elements.address(), elements.bytes(), factor),
                        element -> Reference.scale(type, element, factor));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = "B?FLOAT.*", mode = EnumSource.Mode.MATCH_ANY)
    void dividesLikeTheReference(DataType type) {
        for (Twin twin : Twin.values()) {
            ScaleKernel kernel = kernel(twin, type);
            for (double divisor : DIVISORS) {
                check(
                        type,
                        twin + " by " + divisor,
                        elements -> kernel.divide(elements.address(), elements.bytes(), divisor),
                        element -> Reference.divide(type, element, divisor));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesBadArguments(DataType type) {
        for (Twin twin : Twin.values()) {
            ScaleKernel kernel = kernel(twin, type);
            assertThrows(InvalidArgumentException.class, () -> kernel.divide(0, 0, 0));
            assertThrows(InvalidArgumentException.class, () -> kernel.divide(0, 0, Double.NaN));
            if (!type.isFloat()) {
                assertThrows(InvalidArgumentException.class, () -> kernel.divide(0, 0, 2));
                for (double factor : new double[] {0.5, 0x1p63, -0x1p64, Double.NaN}) {
                    assertThrows(InvalidArgumentException.class, () -> kernel.scale(0, 0, factor));
                }
            }
        }
        assertSame(ScaleKernel.of(type), ScaleKernel.of(type));
    }

    private static ScaleKernel kernel(Twin twin, DataType type) {
        return twin == Twin.VECTOR && type.isFloat() ? VectorScales.of(type) : ScalarScales.of(type);
    }

    private interface Change {
        void apply(Elements elements);
    }

    private static void check(DataType type, String what, Change change, LongUnaryOperator reference) {
        Random random = new Random(SEED);
        for (int round = 0; round < 12; round++) {
            try (Arena arena = Arena.ofConfined()) {
                int length = random.nextInt(301);
                Elements elements = new Elements(arena, type, length, random.nextInt(64)).fillRandom(random);
                long[] expected = new long[length];
                for (int i = 0; i < length; i++) {
                    // Without infinities and NaN now and then, or short vectors would never be taken.
                    if (type.isFloat() && round % 2 == 0) {
                        elements.set(i, elements.get(i) & ~(1L << type.byteSize() * Byte.SIZE - 2));
                    }
                    expected[i] = reference.applyAsLong(elements.get(i));
                }
                change.apply(elements);
                for (int i = 0; i < length; i++) {
                    assertEquals(expected[i], elements.get(i), type + " " + what + ", seed " + SEED + ", element " + i);
                }
                assertFalse(elements.spilled(), "wrote outside");
            }
        }
    }
}
