package org.mscclj.plan.preference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.api.algorithm.LaunchSize;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.tuning.TuningChoice;
import org.mscclj.api.tuning.TuningEntry;
import org.mscclj.api.tuning.TuningKey;
import org.mscclj.api.tuning.TuningTopology;
import org.mscclj.api.type.Collective;

/** The table of an entry. */
class SelectionTableTest {
    private static SelectionTable table(TuningChoice... choices) {
        TuningKey key = new TuningKey("cuda", "a GPU", 2, TuningTopology.MAPPED, "13.0", "1.0");
        return SelectionTable.of(new TuningEntry(key, "", Arrays.asList(choices)));
    }

    private static TuningChoice from(long bytes, String algorithm) {
        return new TuningChoice(Collective.ALLREDUCE, true, bytes, algorithm);
    }

    private static final SelectionTable TABLE = table(
            from(0, "packets@1"),
            from(8 << 10, "packets@4x256"),
            from(256 << 10, "packets_ll128@64"),
            from(1_000_000, "direct@64"),
            new TuningChoice(Collective.ALLREDUCE, false, 0, "packets@2"));

    @ParameterizedTest
    @CsvSource({
        "true,0,packets@1",
        "true,8191,packets@1",
        "true,8192,packets@4x256",
        "true,262144,packets_ll128@64",
        "true,999999,packets_ll128@64",
        "true,1099511627776,direct@64",
        "false,1099511627776,packets@2"
    })
    void theLastRowThatBeginsBeforeServes(boolean registered, long bytes, String algorithm) {
        SelectionRow row =
                TABLE.find(Collective.ALLREDUCE, 2, registered, bytes).orElseThrow();
        assertEquals(algorithm, row.algorithm());
    }

    @Test
    void otherCallsHaveNoRow() {
        assertEquals(Optional.empty(), TABLE.find(Collective.ALLREDUCE, 3, true, 0));
        assertEquals(Optional.empty(), TABLE.find(Collective.BROADCAST, 2, true, 0));
        assertEquals(List.of(8192L, 262144L, 1000000L), TABLE.steps(2).boxed().toList());
        assertEquals(List.of(), TABLE.steps(3).boxed().toList());
    }

    /** What is the fastest for 1 MiB is not the fastest for 1 GiB. */
    @Test
    void sizesThatWereNotMeasuredHaveNoRow() {
        SelectionTable table = table(from(0, "packets@1"), from(2 << 20, TuningChoice.DEFAULT));
        assertEquals(
                "packets",
                table.find(Collective.ALLREDUCE, 2, true, 1 << 20).orElseThrow().program());
        assertEquals(Optional.empty(), table.find(Collective.ALLREDUCE, 2, true, 2 << 20));
        assertEquals(List.of(2L << 20), table.steps(2).boxed().toList());
    }

    private static void assertRefused(String reason, TuningChoice... choices) {
        String said = assertThrows(InvalidArgumentException.class, () -> table(choices))
                .getMessage();
        assertTrue(said.contains(reason), said);
    }

    @Test
    void aSectionBeginsOnceAtZero() {
        assertRefused(
                "the first row of allreduce on 2 ranks, registered memory is for 4096 bytes and more; allowed: a first row"
                        + " for 0 bytes",
                from(4096, "packets@1"));
        assertRefused("has two rows that begin at 0 bytes", from(0, "packets@1"), from(0, "direct@1"));
    }

    @Test
    void choicesMayLeaveTheirBlocksToTheAlgorithm() {
        SelectionRow row = table(from(0, "copies_allgather")).rows().getFirst();
        assertEquals("copies_allgather", row.program());
        assertEquals(LaunchSize.CHOSEN, row.size());
        assertRefused("behind @", from(0, "packets@many"));
    }

    @Property
    void addedRowsReplaceThoseBefore(@ForAll Random random) {
        SelectionTable added = randomTable(random);
        SelectionTable before = randomTable(random);
        SelectionTable both = added.over(before);
        for (int bytes = 0; bytes < 12; bytes++) {
            for (boolean registered : new boolean[] {false, true}) {
                int size = bytes;
                Optional<String> expected =
                        algorithm(added, registered, size).or(() -> algorithm(before, registered, size));
                assertEquals(expected, algorithm(both, registered, size), added + " over " + before);
            }
        }
        assertEquals(added, added.over(SelectionTable.EMPTY).over(added));
    }

    private static Optional<String> algorithm(SelectionTable table, boolean registered, int bytes) {
        return table.find(Collective.ALLREDUCE, 2, registered, bytes).map(SelectionRow::algorithm);
    }

    /** No row goes on with the algorithm of the row before, since no table with more rows says the same. */
    private static SelectionTable randomTable(Random random) {
        List<TuningChoice> choices = new ArrayList<>();
        for (boolean registered : new boolean[] {false, true}) {
            String last = "";
            for (int bytes = 0; bytes < 10 && random.nextInt(4) > 0; bytes += 1 + random.nextInt(4)) {
                String next = List.of(TuningChoice.DEFAULT, "packets@1", "direct@2", "ring@4")
                        .get(random.nextInt(4));
                if (!next.equals(last)) {
                    choices.add(new TuningChoice(Collective.ALLREDUCE, registered, bytes, next));
                    last = next;
                }
            }
        }
        return table(choices.toArray(TuningChoice[]::new));
    }
}
