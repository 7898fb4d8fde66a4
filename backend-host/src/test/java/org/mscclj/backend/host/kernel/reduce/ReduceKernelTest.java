package org.mscclj.backend.host.kernel.reduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp.Kind;
import org.mscclj.backend.host.kernel.Elements;
import org.mscclj.backend.host.kernel.Reference;
import org.mscclj.backend.host.kernel.Twin;

class ReduceKernelTest {
    private static final long SEED = System.nanoTime();

    /** So many calls that the compiler has taken over: its vector instructions are what is to be tested. */
    private static final int VECTOR_CALLS = Integer.getInteger("mscclj.test.calls", 60);

    private static final Set<ReduceCase> WARM = new HashSet<>();

    @BeforeAll
    static void printSeed() {
        System.out.println("reductions: seed " + SEED);
    }

    static List<ReduceCase> cases() {
        return ReduceCase.all();
    }

    static List<ReduceCase> wideCases() {
        return ReduceCase.all().stream().filter(c -> c.type().byteSize() > 1).toList();
    }

    static List<ReduceCase> oneByteCases() {
        return ReduceCase.all().stream().filter(c -> c.type().byteSize() == 1).toList();
    }

    static List<ReduceCase> twoByteFloatCases() {
        return ReduceCase.all().stream()
                .filter(c -> c.type().isFloat() && c.type().byteSize() == 2)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("oneByteCases")
    void everyPairOfBytes(ReduceCase c) {
        try (Arena arena = Arena.ofConfined()) {
            Elements first = new Elements(arena, c.type(), 1 << 16, 0);
            Elements second = new Elements(arena, c.type(), 1 << 16, 0);
            for (int i = 0; i < 1 << 16; i++) {
                first.set(i, i & 0xff);
                second.set(i, i >> 8);
            }
            check(c, arena, first, second);
        }
    }

    /** Each value with itself, with 0, with the least subnormal, and with numbers that lead to ties and overflow. */
    @ParameterizedTest
    @MethodSource("twoByteFloatCases")
    void everyHalf(ReduceCase c) {
        try (Arena arena = Arena.ofConfined()) {
            long[] partners = {-1, 0x0000, 0x0001, 0x8001, 0x3c00, 0x3f80, 0x4248, 0x7bff, 0x7f7f, 0x8000};
            for (long partner : partners) {
                Elements first = new Elements(arena, c.type(), 1 << 16, 0);
                Elements second = new Elements(arena, c.type(), 1 << 16, 0);
                for (int i = 0; i < 1 << 16; i++) {
                    first.set(i, i);
                    second.set(i, partner < 0 ? i : partner);
                }
                check(c, arena, first, second);
            }
        }
    }

    /** Some destinations are sources, as where every rank gets the result over its contribution. */
    @ParameterizedTest
    @MethodSource("cases")
    void severalPlaces(ReduceCase c) {
        Random random = new Random(SEED);
        for (int round = 0; round < 15; round++) {
            try (Arena arena = Arena.ofConfined()) {
                int length = random.nextInt(301);
                int count = 1 + random.nextInt(9);
                Elements[] sources = new Elements[count];
                for (int i = 0; i < count; i++) {
                    sources[i] = new Elements(arena, c.type(), length, random.nextInt(64)).fillRandom(random);
                }
                Elements[] places = new Elements[1 + random.nextInt(count + 2)];
                for (int i = 0; i < places.length; i++) {
                    places[i] = i < count && random.nextBoolean()
                            ? sources[i]
                            : new Elements(arena, c.type(), length, random.nextInt(64));
                }
                long[] expected = expected(c, sources);

                c.kernel().reduceToAll(addresses(places), places.length, addresses(sources), count, places[0].bytes());

                String what = c + ", seed " + SEED + ", round " + round + ", length " + length;
                for (Elements place : places) {
                    for (int i = 0; i < length; i++) {
                        int at = i;
                        assertEquals(expected[i], place.get(i), () -> what + ", element " + at);
                    }
                    assertFalse(place.spilled(), () -> what + ", wrote outside");
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void randomLengthsAlignmentsCountsAndAliases(ReduceCase c) {
        Random random = new Random(SEED);
        for (int round = 0; round < 25; round++) {
            try (Arena arena = Arena.ofConfined()) {
                int length = random.nextInt(301);
                int count = 1 + random.nextInt(17);
                Elements[] sources = new Elements[count];
                for (int i = 0; i < count; i++) {
                    sources[i] = new Elements(arena, c.type(), length, random.nextInt(64)).fillRandom(random);
                }
                int alias = random.nextInt(-1, count);
                Elements destination =
                        alias < 0 ? new Elements(arena, c.type(), length, random.nextInt(64)) : sources[alias];
                long[] expected = expected(c, sources);
                long[][] before = contents(sources);

                c.kernel().reduce(destination.address(), addresses(sources), count, destination.bytes());

                String what = c + ", seed " + SEED + ", round " + round + ", length " + length + ", count " + count
                        + ", alias " + alias;
                for (int i = 0; i < length; i++) {
                    int at = i;
                    assertEquals(expected[i], destination.get(i), () -> what + ", element " + at);
                    for (int s = 0; s < count; s++) {
                        assertTrue(s == alias || before[s][i] == sources[s].get(i), () -> what + ", source changed");
                    }
                }
                assertFalse(destination.spilled(), () -> what + ", wrote outside");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void twoSourcesInBothForms(ReduceCase c) {
        Random random = new Random(SEED);
        for (int alias = -1; alias < 2; alias++) {
            for (int length = 0; length < 300; length += 1 + random.nextInt(9)) {
                try (Arena arena = Arena.ofConfined()) {
                    Elements first = new Elements(arena, c.type(), length, random.nextInt(64)).fillRandom(random);
                    Elements second = new Elements(arena, c.type(), length, random.nextInt(64)).fillRandom(random);
                    Elements result = new Elements(arena, c.type(), length, random.nextInt(64));
                    Elements destination = alias < 0 ? result : alias == 0 ? first : second;
                    long[] expected = expected(c, first, second);
                    Elements list = new Elements(arena, c.type(), length, 0);

                    c.kernel().reduce(list.address(), addresses(first, second), 2, list.bytes());
                    c.kernel().reduce(destination.address(), first.address(), second.address(), first.bytes());

                    for (int i = 0; i < length; i++) {
                        String what = c + ", seed " + SEED + ", element " + i + " of " + length + ", alias " + alias;
                        assertEquals(expected[i], destination.get(i), what);
                        assertEquals(expected[i], list.get(i), what);
                    }
                    assertFalse(destination.spilled(), "wrote outside");
                }
            }
        }
    }

    /** The types too wide to try every pair of. */
    @ParameterizedTest
    @MethodSource("wideCases")
    void randomPairs(ReduceCase c) {
        Random random = new Random(SEED);
        try (Arena arena = Arena.ofConfined()) {
            Elements first = new Elements(arena, c.type(), 1 << 14, 0).fillRandom(random);
            Elements second = new Elements(arena, c.type(), 1 << 14, 0).fillRandom(random);
            check(c, arena, first, second);
        }
    }

    /** Sources may be one buffer several times. */
    @ParameterizedTest
    @MethodSource("cases")
    void oneBufferAsBothSources(ReduceCase c) {
        try (Arena arena = Arena.ofConfined()) {
            Elements source = new Elements(arena, c.type(), 200, 1).fillRandom(new Random(SEED));
            long[] expected = expected(c, source, source);
            c.kernel().reduce(source.address(), source.address(), source.address(), source.bytes());
            for (int i = 0; i < expected.length; i++) {
                assertEquals(expected[i], source.get(i), "seed " + SEED + ", element " + i);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void factoryHasEveryKernel(ReduceCase c) {
        assertSame(ReduceKernel.of(c.type(), c.kind()), ReduceKernel.of(c.type(), c.kind()));
    }

    @Test
    void refusesWhatIsNotDefined() {
        for (DataType type : DataType.values()) {
            for (Kind kind : Kind.values()) {
                if (!Reference.KINDS.contains(kind) || !kind.supports(type)) {
                    var refused = assertThrows(InvalidArgumentException.class, () -> ReduceKernel.of(type, kind));
                    assertTrue(refused.getMessage().contains(kind.label() + " of " + type), refused::getMessage);
                }
            }
        }
    }

    private static void check(ReduceCase c, Arena arena, Elements first, Elements second) {
        Elements destination = new Elements(arena, c.type(), first.length(), 0);
        int calls = c.twin() == Twin.VECTOR && WARM.add(c) ? VECTOR_CALLS : 1;
        for (int i = 0; i < calls; i++) {
            c.kernel().reduce(destination.address(), first.address(), second.address(), first.bytes());
        }
        for (long i = 0; i < first.length(); i++) {
            long a = first.get(i);
            long b = second.get(i);
            long wanted = Reference.reduce(c.type(), c.kind(), a, b);
            if (wanted != destination.get(i)) {
                assertEquals(
                        Long.toHexString(wanted),
                        Long.toHexString(destination.get(i)),
                        c + " of " + Long.toHexString(a) + ", " + Long.toHexString(b));
            }
        }
        assertFalse(destination.spilled());
    }

    private static long[] expected(ReduceCase c, Elements... sources) {
        long[] result = new long[(int) sources[0].length()];
        long[] elements = new long[sources.length];
        for (int i = 0; i < result.length; i++) {
            for (int s = 0; s < sources.length; s++) {
                elements[s] = sources[s].get(i);
            }
            result[i] = Reference.reduce(c.type(), c.kind(), elements);
        }
        return result;
    }

    private static long[][] contents(Elements... sources) {
        long[][] result = new long[sources.length][(int) sources[0].length()];
        for (int s = 0; s < sources.length; s++) {
            for (int i = 0; i < result[s].length; i++) {
                result[s][i] = sources[s].get(i);
            }
        }
        return result;
    }

    private static long[] addresses(Elements... sources) {
        long[] result = new long[sources.length];
        for (int i = 0; i < sources.length; i++) {
            result[i] = sources[i].address();
        }
        return result;
    }
}
