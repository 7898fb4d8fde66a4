package org.mscclj.cli.stress.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.cli.stress.fault.FaultResult;
import org.mscclj.cli.stress.fault.FaultSettings;
import org.mscclj.cli.stress.rank.RankReport;

class TranscriptTest {
    private static final Naming NAMING = new Naming(List.of(2));

    private final Transcript transcript = new Transcript(
            new FaultResult(
                    "chaos",
                    "until a rank reports it",
                    new FaultSettings(
                            3, 3, "host", Duration.ofMinutes(1), Duration.ofSeconds(1), List.of(), 7, _ -> {})),
            Duration.ofSeconds(2));

    @ParameterizedTest
    @CsvSource({"2, 1, true", "2, 2, true", "2, 3, false", "1, 1, false"})
    void namedRanksAndTimesAreJudged(int named, int seconds, boolean right) {
        RankReport report = new RankReport(RankReport.Kind.LOST, List.of(named), "it is gone");
        transcript.judge("a kind", 0, new CallEnd(report, seconds * 1_000_000_000L, Optional.empty()), 0, NAMING);
        assertEquals(right, transcript.isRight(), transcript::text);
        assertTrue(transcript.text().contains("rank 0 reports after " + seconds + "000 ms"), transcript::text);
        assertTrue(transcript.text().contains("it is gone"), transcript::text);
    }

    @Test
    void aFailureEndsTheCase() {
        transcript.requireRight();
        transcript.wrong("rank 1 is silent");
        assertThrows(IllegalStateException.class, transcript::requireRight);
        assertTrue(transcript.text().startsWith("rank 1 is silent"), transcript::text);
    }
}
