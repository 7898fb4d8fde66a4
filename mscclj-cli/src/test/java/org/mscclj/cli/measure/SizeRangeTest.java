package org.mscclj.cli.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;

/** From {@code -b}, {@code -e} and {@code -f} to elements of a slice. */
class SizeRangeTest {
    private static List<Long> counts(String from, String to, int factor, Collective collective, int ranks) {
        return SizeRange.parse(from, Optional.of(to), factor).counts(collective, ranks, DataType.FLOAT32);
    }

    @Test
    void eachSizeIsTheFactorTimesTheOneBefore() {
        assertEquals(List.of(256L, 512L, 1024L), counts("1K", "4K", 2, Collective.ALLREDUCE, 3));
        assertEquals(List.of(256L, 1024L), counts("1K", "15K", 4, Collective.ALLREDUCE, 3));
        assertEquals(List.of(256L), counts("1K", "1K", 2, Collective.BROADCAST, 3));
    }

    @Test
    void aSizeIsThatOfAllSlices() {
        for (Collective collective : List.of(Collective.ALLGATHER, Collective.REDUCESCATTER, Collective.ALLTOALL)) {
            assertEquals(List.of(64L, 128L), counts("1K", "2K", 2, collective, 4));
            assertEquals(List.of(85L, 170L), counts("1K", "2K", 2, collective, 3), "rounded down");
        }
    }

    @Test
    void noSizeComesTwice() {
        assertEquals(List.of(0L, 1L, 2L), counts("0", "64", 2, Collective.ALLTOALL, 8));
        assertEquals(List.of(1L, 2L), counts("1", "8", 2, Collective.ALLREDUCE, 2));
    }

    @Test
    void sizesNearTheLargestNumberDoNotWrapAround() {
        String most = Long.toString(999_999_999_999_999_999L);
        assertEquals(
                List.of(999_999_999_999_999_999L),
                SizeRange.parse(most, Optional.of(most), 1000).counts(Collective.ALLREDUCE, 2, DataType.INT8));
    }

    @Test
    void withoutAnEndItIs64MiBOrTheLeast() {
        assertEquals(64 << 20, SizeRange.parse("1K", Optional.empty(), 2).to());
        assertEquals(1 << 30, SizeRange.parse("1G", Optional.empty(), 2).to());
    }

    @Test
    void invalidSizesAreRejected() {
        assertThrows(InvalidArgumentException.class, () -> SizeRange.parse("2K", Optional.of("1K"), 2));
        assertThrows(InvalidArgumentException.class, () -> SizeRange.parse("1K", Optional.of("2K"), 1));
    }
}
