package org.mscclj.conformance.rank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.type.DataType;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.scenario.TestCase;

/** A rank that does not return. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RankRunTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    /** The other rank does not come. */
    private static void call(RankContext context) {
        context.communicator().barrier(TIMEOUT);
    }

    @Test
    void saysInWhichCallItIsAndAbortsTheCommunicator() {
        TestCase test = TestCase.of("spec0605_launchesEnd", Mode.THREADS, 2, DataType.FLOAT32, 1);
        try (LocalGroup group =
                LocalGroup.open(LocalGroupOptions.ranks(2).backend("host").timeout(TIMEOUT))) {
            Communicator communicator = group.communicator(0);
            RankVerdict verdict =
                    RankRun.runWithin(Duration.ofMillis(500), communicator, test, RankRunTest::call, TIMEOUT);
            assertEquals(
                    List.of(FindingKind.HUNG),
                    verdict.findings().stream().map(Finding::kind).toList());
            String text = verdict.findings().getFirst().text();
            assertTrue(text.contains("in the call org.mscclj"), text);
            assertTrue(text.contains(".barrier("), text);
            assertTrue(communicator.isAborted());
        }
    }

    @Test
    void thatReturnsIsNotDisturbed() {
        TestCase test = TestCase.of("spec0605_launchesEnd", Mode.THREADS, 1, DataType.FLOAT32, 1);
        try (LocalGroup group =
                LocalGroup.open(LocalGroupOptions.ranks(1).backend("host").timeout(TIMEOUT))) {
            RankVerdict verdict = RankRun.runWithin(TIMEOUT, group.communicator(0), test, RankRunTest::call, TIMEOUT);
            assertEquals(List.of(), verdict.findings());
        }
    }
}
