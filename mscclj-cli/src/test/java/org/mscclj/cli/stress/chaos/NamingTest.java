package org.mscclj.cli.stress.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.cli.stress.rank.RankReport;

class NamingTest {
    private static final Naming NAMING = new Naming(List.of(0, 2));

    @ParameterizedTest
    @CsvSource({
        "LOST, 2, true",
        "LOST, 1, false",
        "TIMEOUT, 0, true",
        "TIMEOUT, 0 2, true",
        "TIMEOUT, 0 1, false",
        "TIMEOUT, '', false",
        "DONE, '', false",
        "REFUSED, 2, false",
        "DEVICE, 2, false",
        "FAILED, 2, false"
    })
    void onlyHarmedRanksAreNamed(RankReport.Kind kind, String ranks, boolean right) {
        List<Integer> named = Arrays.stream(ranks.split(" ", -1))
                .filter(word -> !word.isEmpty())
                .map(Integer::valueOf)
                .toList();
        assertEquals(right, NAMING.isRight(new RankReport(kind, named, "about rank 2")));
    }

    @ParameterizedTest
    @CsvSource({
        "rank 2 is lost, true",
        "'ranks [0, 3] did not come', true",
        "rank 1 says that rank 2 is lost, true",
        "rank 20 is lost, false",
        "rank 1 is lost, false",
        "two of the ranks are lost, false"
    })
    void anAbortNamesThemInItsMessage(String message, boolean right) {
        assertEquals(right, NAMING.isRight(new RankReport(RankReport.Kind.ABORTED, List.of(), message)));
    }

    @ParameterizedTest
    @CsvSource({"it is lost, true", "it is lost; and then: something else, false"})
    void nothingElseGoesWrong(String message, boolean right) {
        assertEquals(right, NAMING.isRight(new RankReport(RankReport.Kind.LOST, List.of(2), message)));
    }
}
