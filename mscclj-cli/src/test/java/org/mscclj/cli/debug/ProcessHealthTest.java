package org.mscclj.cli.debug;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mscclj.api.Fault;
import org.mscclj.api.FaultKind;
import org.mscclj.api.Health;
import tools.jackson.core.JacksonException;

class ProcessHealthTest {
    private static final String FAULT = "{\"time\":\"2026-11-23T07:29:01.5Z\",\"communicator\":\"world\",\"rank\":1,"
            + "\"kind\":\"rank_lost\",\"reason\":\"rank 0 is lost: it has ended\"}";

    private static Optional<HealthReading> read(String answer) {
        return HealthReading.of(new ByteArrayInputStream(answer.getBytes(StandardCharsets.UTF_8)));
    }

    private static String words(String answer) {
        return ProcessHealth.of(new ProcessAnswer<>(7, read(answer), false))
                .map(ProcessHealth::toString)
                .orElse("none");
    }

    @Test
    void onlyTheHealthIsRead() {
        String beginning =
                "[{\"process\":7,\"healthy\":false,\"new\":[{}],\"faults\":[" + FAULT + "],\"moreFaults\":2}";
        InputStream answer = new ByteArrayInputStream(beginning.getBytes(StandardCharsets.UTF_8)) {
            @Override
            public synchronized int read(byte[] bytes, int offset, int count) {
                if (available() == 0) {
                    throw new AssertionError("who waits for more waits for dumps");
                }
                return super.read(bytes, offset, count);
            }
        };
        assertEquals(
                Optional.of(new Health(
                        List.of(new Fault(
                                Instant.parse("2026-11-23T07:29:01.5Z"),
                                "world",
                                1,
                                FaultKind.RANK_LOST,
                                "rank 0 is lost: it has ended")),
                        2)),
                HealthReading.of(answer).orElseThrow().health());
    }

    @Test
    void theFirstFaultAndTheNumberOfOthersArePrinted() {
        assertEquals("process 7: healthy", words("[{\"healthy\":true,\"faults\":[],\"moreFaults\":0}]"));
        String first = "process 7: not healthy: 2026-11-23T07:29:01Z: world, rank 1: rank 0 is lost: it has ended";
        assertEquals(first, words("[{\"healthy\":false,\"faults\":[" + FAULT + "],\"moreFaults\":0}]"));
        assertEquals(
                first + ", and 4 more",
                words("[{\"healthy\":false,\"faults\":[" + FAULT + "," + FAULT + "],\"moreFaults\":3}]"));
    }

    @Test
    void aRankIsNamedOnlyOnce() {
        Fault fault = new Fault(Instant.EPOCH, "world", 1, FaultKind.TIMEOUT, "world, rank 1: launch #3: not ended");
        assertEquals(
                "process 7: not healthy: 1970-01-01T00:00:00Z: world, rank 1: launch #3: not ended",
                new ProcessHealth(7, new Health(List.of(fault), 0), Optional.empty()).toString());
    }

    @Test
    void anAnswerWithoutHealthIsUnhealthy() {
        String other = "process 7: not healthy: its answer has no health; it may run another version of mscclj";
        assertEquals(other, words("[]"));
        assertEquals(other, words("[{\"communicator\":\"world\",\"entries\":[{}]}]"));
        assertEquals(other, words("[{\"healthy\":false,\"faults\":[{\"kind\":\"flood\"}]}]"));
    }

    @Test
    void anEndedProcessIsSkipped() {
        assertEquals("none", words(""));
        assertThrows(JacksonException.class, () -> read("[{\"healthy\":tr"));
    }
}
