package org.mscclj.cli.debug;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HangAnalyzerTest {
    private static final String SUM = "allreduce of 1 MiB float16, sum, by ring";
    private static final String BROADCAST = "broadcast of 4 MiB int8, root 0, by relay";

    private static RecordedRank rank(int rank, long launches, long completed, String last) {
        return rank(rank, "", launches, completed, last);
    }

    private static RecordedRank rank(int rank, String host, long launches, long completed, String last) {
        Map<Long, String> words = LongStream.rangeClosed(1, launches)
                .boxed()
                .collect(Collectors.toMap(n -> n, n -> n == launches ? last : SUM));
        return new RecordedRank(
                "world",
                "job",
                rank,
                List.of(0, 1, 2, 3),
                70 + rank,
                host,
                Instant.EPOCH.plusSeconds(launches),
                launches,
                completed,
                words,
                "",
                "",
                List.of());
    }

    @Test
    void aRankThatHasNotCalled() {
        assertEquals(
                "rank 2 (process 72) has not called #42, " + SUM + ", which ranks 0, 1 and 3 wait in",
                HangAnalyzer.among(List.of(
                        rank(3, 42, 41, SUM), rank(0, 42, 41, SUM), rank(1, 43, 41, SUM), rank(2, 41, 41, SUM))));
    }

    @Test
    void ranksOfSeveralHostsAreFoundByTheirHosts() {
        assertEquals(
                "ranks 2 and 3 (process 72 on east; process 73) have not called #42, " + SUM
                        + ", which ranks 0 and 1 wait in",
                HangAnalyzer.among(List.of(
                        rank(0, "west", 42, 41, SUM),
                        rank(1, "west", 42, 41, SUM),
                        rank(2, "east", 41, 41, SUM),
                        rank(3, "", 41, 41, SUM))));
        assertEquals(
                "rank 1 (process 71) has not called #42, " + SUM
                        + ", which rank 0 waits in; there is no dump of ranks 2 and 3",
                HangAnalyzer.among(List.of(rank(0, "west", 42, 41, SUM), rank(1, "west", 41, 41, SUM))));
    }

    @Test
    void aRankThatHasCalledSomethingElse() {
        assertEquals(
                "rank 1 (process 71) called " + BROADCAST + " as #42, where ranks 0, 2 and 3 called " + SUM,
                HangAnalyzer.among(List.of(
                        rank(0, 42, 41, SUM), rank(1, 42, 41, BROADCAST), rank(2, 42, 41, SUM), rank(3, 42, 41, SUM))));
    }

    @Test
    void aRankWithoutADump() {
        assertEquals(
                "rank 3 left no dump, and ranks 0, 1 and 2 wait in #42, " + SUM,
                HangAnalyzer.among(List.of(rank(0, 42, 41, SUM), rank(1, 42, 41, SUM), rank(2, 42, 41, SUM))));
    }

    @Test
    void aSlowRank() {
        assertEquals(
                "rank 2 (process 72) has not called #42, " + SUM + ", which the others have completed",
                HangAnalyzer.among(List.of(
                        rank(0, 43, 42, SUM), rank(1, 42, 42, SUM), rank(2, 41, 41, SUM), rank(3, 42, 42, SUM))));
    }

    @Test
    void noRankIsResponsible() {
        assertEquals(
                "nothing is in flight: ranks 0, 1, 2 and 3 have called nothing after #42",
                HangAnalyzer.among(List.of(
                        rank(0, 42, 42, SUM), rank(1, 42, 42, SUM), rank(2, 42, 42, SUM), rank(3, 42, 42, SUM))));
        assertEquals(
                "all ranks have called #42, " + SUM
                        + ", and rank 1 (process 71) has not completed it: the plan may wait for a signal that"
                        + " never comes",
                HangAnalyzer.among(List.of(
                        rank(0, 42, 42, SUM), rank(1, 42, 41, SUM), rank(2, 42, 42, SUM), rank(3, 42, 42, SUM))));
    }

    @Test
    void ofTwoDumpsOfARankTheLastCounts() {
        List<RecordedRank> others = List.of(rank(0, 42, 41, SUM), rank(1, 42, 41, SUM), rank(3, 42, 41, SUM));
        for (List<RecordedRank> ofRankTwo : List.of(
                List.of(rank(2, 41, 41, SUM), rank(2, 3, 3, SUM)), List.of(rank(2, 3, 3, SUM), rank(2, 41, 41, SUM)))) {
            assertEquals(
                    "rank 2 (process 72) has not called #42, " + SUM + ", which ranks 0, 1 and 3 wait in",
                    HangAnalyzer.among(
                            Stream.concat(others.stream(), ofRankTwo.stream()).toList()));
        }
    }

    private static RecordedRank inMessages(RecordedRank rank, String messages) {
        return waiting(rank, messages, "");
    }

    private static RecordedRank waiting(RecordedRank rank, String messages, String controlCall) {
        return new RecordedRank(
                rank.communicator(),
                rank.id(),
                rank.rank(),
                rank.worldRanks(),
                rank.pid(),
                rank.host(),
                rank.time(),
                rank.launches(),
                rank.completed(),
                rank.descriptions(),
                messages,
                controlCall,
                List.of());
    }

    @Test
    void ranksInASetUpCall() {
        RecordedRank splitting = waiting(rank(0, 41, 41, SUM), "", "split");
        assertEquals(
                "rank 0 waits for others in \"split\", to which ranks 2 and 3 (process 72; process 73) have not come;"
                        + " rank 1 waits for others in \"barrier\", to which ranks 2 and 3 (process 72; process"
                        + " 73) have not come",
                HangAnalyzer.among(List.of(
                        splitting,
                        waiting(rank(1, 41, 41, SUM), "", "barrier"),
                        rank(2, 41, 41, SUM),
                        rank(3, 41, 41, SUM))));
        assertEquals(
                "rank 0 (process 70) has not called #42, " + SUM
                        + ", which ranks 1, 2 and 3 wait in; rank 0 waits for others in \"split\"",
                HangAnalyzer.among(
                        List.of(splitting, rank(1, 42, 41, SUM), rank(2, 42, 41, SUM), rank(3, 42, 41, SUM))));
    }

    @Test
    void aRankThatWaitsInPointToPointOperations() {
        RecordedRank waiting = inMessages(rank(2, 41, 41, SUM), "receive 16 bytes from rank 1");
        assertEquals(
                "rank 2 (process 72) has not called #42, " + SUM
                        + ", which ranks 0 and 1 wait in; there is no dump of rank 3; rank 2 (process 72) waits"
                        + " in messages: receive 16 bytes from rank 1",
                HangAnalyzer.among(List.of(rank(0, 42, 41, SUM), rank(1, 42, 41, SUM), waiting)));
        assertEquals(
                "rank 2 (process 72) waits in messages: receive 16 bytes from rank 1",
                HangAnalyzer.among(List.of(rank(0, 41, 41, SUM), rank(1, 41, 41, SUM), waiting, rank(3, 41, 41, SUM))));
    }

    @Test
    void theFirstPointToPointOperationsOfADumpCount() {
        String dump =
                """
                {"communicator": "world", "id": "job", "worldRanks": [0, 1], "rank": 1, "size": 2, "pid": 7, "host": "west",
                 "time": "2026-01-01T00:00:00Z", "launches": 2, "completed": 1,
                 "entries": [{"sequence": 1, "words": "one", "state": "completed", MORE},
                             {"sequence": 2, "words": "two", "state": "enqueued", MORE}],
                 "messages": [{"number": 1, "after": 0, "words": "done", "state": "completed", MORE},
                              {"number": 2, "after": 1, "words": "send 1 bytes to rank 0", "state": "%s", MORE},
                              {"number": 3, "after": 2, "words": "later", "state": "enqueued", MORE}]}
                """.replace("MORE", "\"operation\": \"any\", \"bytes\": 1, \"enqueued\": \"2026-01-01T00:00:00Z\"");
        assertEquals(
                List.of("send 1 bytes to rank 0", ""),
                List.of("failed", "completed").stream()
                        .map(state -> RankRecords.parse(dump.formatted(state))
                                .getFirst()
                                .messages())
                        .toList());
        assertEquals(
                "west", RankRecords.parse(dump.formatted("failed")).getFirst().host());
    }
}
