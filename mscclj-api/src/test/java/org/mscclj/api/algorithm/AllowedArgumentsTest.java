package org.mscclj.api.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.DataType;

class AllowedArgumentsTest {
    private static final AllowedArguments SOME = new AllowedArguments(
            List.of(4, 8), List.of(256), Set.of("flag", "counter"), Set.of(DataType.FLOAT32, DataType.FLOAT16));

    private static String refusal(AllowedArguments allowed, LaunchSize size, NativeArguments arguments) {
        return allowed.refusal(size, arguments).orElse("");
    }

    private static NativeArguments sums(DataType type) {
        return new NativeArguments(false, Optional.of(type), Map.of());
    }

    private static NativeArguments extra(String name) {
        return new NativeArguments(false, Optional.empty(), Map.of(name, 1L));
    }

    @Test
    void whatIsListedIsAllowed() {
        NativeArguments all = new NativeArguments(true, Optional.of(DataType.FLOAT32), Map.of("counter", 7L));
        assertEquals("", refusal(SOME, new LaunchSize(8, 256), all));
        assertEquals("", refusal(SOME, LaunchSize.CHOSEN, NativeArguments.NONE));
        assertEquals("", refusal(AllowedArguments.NONE, LaunchSize.CHOSEN, NativeArguments.NONE));
    }

    @Test
    void refusalsSayWhatIsAllowed() {
        assertEquals(
                "5 thread blocks are asked for; allowed: [4, 8], or 0 for its own choice",
                refusal(SOME, new LaunchSize(5, 0), NativeArguments.NONE));
        assertEquals(
                "512 threads per block are asked for; allowed: [256], or 0 for its own choice",
                refusal(SOME, new LaunchSize(4, 512), NativeArguments.NONE));
        assertEquals(
                "sums are asked for in float64; allowed: [float16, float32], or none for its own choice",
                refusal(SOME, LaunchSize.CHOSEN, sums(DataType.FLOAT64)));
        assertEquals(
                "extra parameter other is given; allowed: [counter, flag]",
                refusal(SOME, LaunchSize.CHOSEN, extra("other")));
    }

    @Test
    void whatTakesNothingSaysSo() {
        assertEquals(
                "4 thread blocks are asked for; it chooses their number itself, leave it 0",
                refusal(AllowedArguments.NONE, new LaunchSize(4, 0), NativeArguments.NONE));
        assertEquals(
                "sums are asked for in float32; it chooses the type itself, leave it out",
                refusal(AllowedArguments.NONE, LaunchSize.CHOSEN, sums(DataType.FLOAT32)));
        assertEquals(
                "extra parameter counter is given; it takes none",
                refusal(AllowedArguments.NONE, LaunchSize.CHOSEN, extra("counter")));
    }

    @Test
    void numbersArePositive() {
        assertThrows(InvalidArgumentException.class, () -> AllowedArguments.sizes(List.of(4, 0), List.of()));
        assertThrows(InvalidArgumentException.class, () -> AllowedArguments.sizes(List.of(), List.of(-1)));
    }

    @Test
    void valuesOfExtraParametersBelongToOneRank() {
        NativeArguments arguments = new NativeArguments(true, Optional.of(DataType.FLOAT32), Map.of("b", 1L, "a", 2L));
        assertEquals("symmetric memory, sums in float32, extra parameters [a, b]", arguments.toString());
        assertEquals(Map.of("a", 0L, "b", 0L), arguments.withoutValues().extras());
        assertEquals("", NativeArguments.NONE.toString());
    }
}
