package org.mscclj.conformance.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.type.DataType;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.rank.RankVerdict;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.scenario.TestCase;
import org.mscclj.conformance.worker.RankProcess;

/** Ranks that have said all they will ever say. */
class ProcessRankGroupTest {
    private static final Duration TIMEOUT = Duration.ofMillis(100);
    private static final int KILLED = 137;
    private static final TestCase CASE =
            TestCase.of("spec0902_everyElementIsWritten", Mode.PROCESSES, 2, DataType.FLOAT32, 1);

    private static final class Spoken extends Process {
        private final byte[] words;
        private final int code;

        Spoken(int code, String... lines) {
            StringBuilder text = new StringBuilder();
            for (String line : lines) {
                text.append(RankProcess.MARK).append(line).append('\n');
            }
            this(text.toString().getBytes(StandardCharsets.UTF_8), code);
        }

        private Spoken(byte[] words, int code) {
            this.words = words;
            this.code = code;
        }

        /** A VM that could not start. */
        static Spoken withoutMark(int code, String line) {
            return new Spoken((line + "\n\n").getBytes(StandardCharsets.UTF_8), code);
        }

        @Override
        public OutputStream getOutputStream() {
            return OutputStream.nullOutputStream();
        }

        @Override
        public InputStream getInputStream() {
            return new ByteArrayInputStream(words);
        }

        @Override
        public InputStream getErrorStream() {
            return InputStream.nullInputStream();
        }

        @Override
        public int waitFor() {
            return code;
        }

        @Override
        public boolean waitFor(long timeout, TimeUnit unit) {
            return true;
        }

        @Override
        public int exitValue() {
            return code;
        }

        @Override
        public void destroy() {
            // has ended
        }
    }

    private static ProcessRankGroup group(Process... processes) {
        return group(RankCommand.NONE, processes);
    }

    private static ProcessRankGroup group(RankCommand command, Process... processes) {
        return new ProcessRankGroup(
                List.of(new ProcessRank(0, processes[0], command), new ProcessRank(1, processes[1], command)), TIMEOUT);
    }

    private static String verdict(int rank) {
        return "verdict " + new RankVerdict(rank, 7, List.of()).line();
    }

    @Test
    void aLineThatCannotBeReadEndsTheGroup() {
        try (ProcessRankGroup group = group(new Spoken(0, "verdict nonsense"), new Spoken(0, verdict(1)))) {
            List<RankVerdict> verdicts = group.run(CASE, context -> {});
            assertEquals(2, verdicts.size());
            assertEquals(
                    FindingKind.HUNG, verdicts.getFirst().findings().getFirst().kind());
            assertEquals(List.of(), verdicts.getLast().findings());
            assertFalse(group.isUsable(), "the next case would be given the verdicts of this one");
        }
    }

    @Test
    void aRankThatIsKilledOnPurposeHasNothingToSay() {
        RankCheck kills = new RankCheck() {
            @Override
            public void check(RankContext context) {
                // the processes have said what they have to say
            }

            @Override
            public OptionalInt kills(TestCase test) {
                return OptionalInt.of(1);
            }
        };
        try (ProcessRankGroup group = group(new Spoken(0, verdict(0)), new Spoken(KILLED))) {
            assertTrue(group.run(CASE, kills).stream()
                    .allMatch(verdict -> verdict.findings().isEmpty()));
        }
        try (ProcessRankGroup group =
                group(RankCommand.parse("ssh host{node}"), new Spoken(0, verdict(0)), new Spoken(255))) {
            assertTrue(
                    group.run(CASE, kills).stream()
                            .allMatch(verdict -> verdict.findings().isEmpty()),
                    "255 is the code of ssh");
        }
        try (ProcessRankGroup group = group(new Spoken(0, verdict(0)), new Spoken(0))) {
            FindingKind kind =
                    group.run(CASE, kills).getLast().findings().getFirst().kind();
            assertEquals(FindingKind.HUNG, kind, "it has ended by itself");
        }
    }

    @Test
    void whatAVmSaidThatDidNotStartIsTold() {
        ProcessRankGroup group = group(new Spoken(0, verdict(0)), Spoken.withoutMark(1, "Module example not found"));
        String text =
                group.run(CASE, context -> {}).getLast().findings().getFirst().text();
        assertTrue(text.contains("ended with code 1; it said: Module example not found"), text);
        assertThrows(BackendException.class, group::close);
    }

    @Test
    void aRankThatFailsWhenItClosesIsTold() {
        Spoken fails = new Spoken(1, verdict(1), "failed memory is still in use");
        failureIsTold(group(new Spoken(0, verdict(0)), fails));
    }

    @Test
    void theCodeOfACommandHidesNoFailure() {
        Spoken fails = new Spoken(0, verdict(1), "failed memory is still in use");
        failureIsTold(group(RankCommand.parse("nc host{node} 7000"), new Spoken(0, verdict(0)), fails));
    }

    private static void failureIsTold(ProcessRankGroup group) {
        assertTrue(group.run(CASE, context -> {}).stream()
                .allMatch(verdict -> verdict.findings().isEmpty()));
        BackendException e = assertThrows(BackendException.class, group::close);
        assertTrue(e.getMessage().contains("rank 1"), e::getMessage);
        assertTrue(e.getMessage().contains("memory is still in use"), e::getMessage);
        group.close();
    }
}
