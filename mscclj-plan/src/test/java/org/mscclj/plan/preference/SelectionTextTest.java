package org.mscclj.plan.preference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;

/** The table and its text. */
class SelectionTextTest {
    private static final String TEXT = """
            selection 1
            allreduce 2 registered
              0     packets 1
              8K    packets 4
              256K  packets_ll128 64
              1000000 direct 64
            allreduce 2 plain
              0     packets 2
            """;

    private static SelectionTable parse(String text) {
        return SelectionText.parse(text, "here");
    }

    @Property
    void everyTableIsReadAsItWasWritten(
            @ForAll Collective collective,
            @ForAll @IntRange(min = 2, max = 64) int ranks,
            @ForAll boolean registered,
            @ForAll @Size(max = 8) List<@LongRange(min = 1) Long> sizes,
            @ForAll @IntRange(min = 1, max = 1024) int blocks) {
        List<SelectionRow> rows = new ArrayList<>();
        rows.add(new SelectionRow(collective, ranks, registered, 0, "packets", blocks));
        sizes.stream()
                .distinct()
                .forEach(size -> rows.add(new SelectionRow(collective, ranks, registered, size, "direct", blocks)));
        rows.add(new SelectionRow(collective, ranks, !registered, 0, "scratch", 1));
        SelectionTable table = new SelectionTable(rows);
        assertEquals(table, parse(SelectionText.of(table)));
    }

    @Test
    void commentsAndEmptyLinesMeanNothing() {
        String noisy = "# measured today\n\n" + TEXT.replace("packets 4", "packets   4 # 2.3 us");
        assertEquals(parse(TEXT), parse(noisy));
        assertEquals(SelectionTable.EMPTY, parse("selection 1\n"));
    }

    @ParameterizedTest
    @CsvSource({
        "true,0,packets,1",
        "true,8191,packets,1",
        "true,8192,packets,4",
        "true,262144,packets_ll128,64",
        "true,999999,packets_ll128,64",
        "true,1099511627776,direct,64",
        "false,1099511627776,packets,2"
    })
    void theLastRowThatBeginsBeforeServes(boolean registered, long bytes, String program, int blocks) {
        SelectionRow row =
                parse(TEXT).find(Collective.ALLREDUCE, 2, registered, bytes).orElseThrow();
        assertEquals(program, row.program());
        assertEquals(blocks, row.blocks());
    }

    @Test
    void otherCallsHaveNoRow() {
        SelectionTable table = parse(TEXT);
        assertEquals(Optional.empty(), table.find(Collective.ALLREDUCE, 3, true, 0));
        assertEquals(Optional.empty(), table.find(Collective.BROADCAST, 2, true, 0));
        assertEquals(List.of(8192L, 262144L, 1000000L), table.steps(2).boxed().toList());
        assertEquals(List.of(), table.steps(3).boxed().toList());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "selection 2|here, line 1 is \"selection 2\"; allowed: selection 1",
                "|here is \"\"; allowed: selection 1 in the first line",
                "selection 1;allreduce 2|line 2 is \"allreduce 2\"; allowed: three words",
                "selection 1;all_reduce 2 plain|line 2 is \"all_reduce\"; allowed: one of",
                "selection 1;allreduce two plain|line 2 is \"two\"; allowed: a whole number",
                "selection 1;allreduce 1 plain|line 2: ranks is 1; allowed: 2 or more",
                "selection 1;allreduce 2 mapped|line 2 is \"mapped\"; allowed: registered or plain",
                "selection 1;0 packets 1|line 2 is \"0 packets 1\"; allowed: first a section",
                "selection 1;allreduce 2 plain;0 packets 0|line 3: thread blocks is 0; allowed: 1 or more",
                "selection 1;allreduce 2 plain;0T packets 1|line 3 is \"0T\"; allowed: a number of bytes",
                "selection 1;allreduce 2 plain;9999999999G packets 1|line 3 is \"9999999999G\"",
                "selection 1;allreduce 2 plain;4K packets 1|the first row of allreduce 2 plain is for 4096 bytes",
                "selection 1;allreduce 2 plain;0 packets 1;0 direct 1|has two rows that begin at 0 bytes"
            })
    void whatIsWrongIsNamed(String text, String message) {
        String lines = text == null ? "" : text.replace(';', '\n');
        String said =
                assertThrows(InvalidArgumentException.class, () -> parse(lines)).getMessage();
        assertTrue(said.contains(message) && said.startsWith("here"), said);
    }
}
