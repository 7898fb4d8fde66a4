package org.mscclj.conformance.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.mscclj.api.Communicator;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.group.WrappedRanks;
import org.mscclj.conformance.rule.Rules;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.suite.Outcome;
import org.mscclj.conformance.suite.RuleResult;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Feature;

/**
 * Communicators that keep something when they are closed. The rule looks at the process, in which nothing else goes on
 * meanwhile.
 */
@Isolated
class BrokenLeaksTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** The check waits this long for what is kept for ever. */
    private static final Duration SHORT = Duration.ofSeconds(3);

    private static final String RULE = "spec0612_whatIsClosedIsGivenBack";

    private static final Capabilities CAPABILITIES = new Capabilities(
            EnumSet.of(DataType.INT32, DataType.FLOAT32),
            EnumSet.of(ReduceOp.Kind.SUM),
            2,
            Set.of(Feature.PLANS, Feature.RANKS_AS_PROCESSES, Feature.POINT_TO_POINT));

    /** Threads, as if they were processes. */
    private static List<RuleResult> run(Supplier<Interception> interceptions, Duration timeout) {
        return Trial.run(
                Mode.PROCESSES,
                InterceptedRanks.with(interceptions, timeout),
                CAPABILITIES,
                timeout,
                List.of(Rules.find(RULE)));
    }

    /** Groups whose communicators do something more when they are closed. */
    private static List<RuleResult> runClosing(Runnable more) {
        return run(
                () -> (rank, inner, method, arguments) -> {
                    Object result = WrappedRanks.invoke(inner, method, arguments);
                    if (inner instanceof Communicator && method.getName().equals("close")) {
                        more.run();
                    }
                    return result;
                },
                SHORT);
    }

    @Test
    void whoKeepsNothingKeepsTheRule() {
        run(() -> Interception.NONE, TIMEOUT)
                .forEach(result -> assertEquals(Outcome.PASSED, result.outcome(), result::text));
    }

    @Test
    void keepsAThread_shouldFailBy_spec0612() {
        CountDownLatch end = new CountDownLatch(1);
        try {
            Trial.assertFailsOnly(
                    RULE,
                    runClosing(() -> Thread.ofPlatform().daemon().name("kept").start(() -> {
                        try {
                            end.await();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    })));
        } finally {
            end.countDown();
        }
    }

    @Test
    void keepsAFile_shouldFailBy_spec0612() throws IOException {
        List<FileChannel> kept = Collections.synchronizedList(new ArrayList<>());
        try {
            Trial.assertFailsOnly(RULE, runClosing(() -> {
                try {
                    kept.add(FileChannel.open(Path.of("pom.xml")));
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            }));
        } finally {
            for (FileChannel channel : kept) {
                channel.close();
            }
        }
    }

    @Test
    void keepsMemory_shouldFailBy_spec0612() {
        List<byte[]> kept = Collections.synchronizedList(new ArrayList<>());
        Trial.assertFailsOnly(RULE, runClosing(() -> kept.add(new byte[1 << 19])));
    }
}
