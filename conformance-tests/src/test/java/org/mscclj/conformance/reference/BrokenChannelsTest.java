package org.mscclj.conformance.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mscclj.conformance.reference.Interception.proceed;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.mscclj.api.channel.ChannelKind;
import org.mscclj.api.channel.ChannelSetup;
import org.mscclj.api.channel.MemoryChannel;
import org.mscclj.api.channel.PortChannel;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.suite.Outcome;
import org.mscclj.conformance.suite.RuleResult;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Feature;

/** Channels made by hand that take what they should refuse. */
class BrokenChannelsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final String RULE = "spec0701_argumentsOfChannels";

    private static final Capabilities CAPABILITIES = new Capabilities(
            EnumSet.of(DataType.INT32),
            EnumSet.of(ReduceOp.Kind.SUM),
            2,
            Set.of(Feature.PLANS, Feature.RANKS_AS_THREADS, Feature.HOST_CHANNELS));

    private static List<RuleResult> run(Supplier<Interception> interceptions) {
        return Trial.run(interceptions, CAPABILITIES, TIMEOUT, List.of(RULE));
    }

    private static void assertFails(Interception interception) {
        Trial.assertFailsOnly(RULE, run(() -> interception));
    }

    @Test
    void rightChannelsKeepTheRule() {
        run(() -> Interception.NONE).forEach(result -> assertEquals(Outcome.PASSED, result.outcome(), result::text));
    }

    @Test
    void dropsPutsOutsideOfTheTarget_shouldFailBy_spec0701() {
        assertFails((rank, inner, method, arguments) -> {
            boolean put = inner instanceof MemoryChannel && method.getName().equals("put");
            return put && (long) arguments[0] < 0 ? null : proceed(inner, method, arguments);
        });
    }

    @Test
    void signalsWhatItHasRefused_shouldFailBy_spec0701() {
        assertFails((rank, inner, method, arguments) -> {
            try {
                return proceed(inner, method, arguments);
            } catch (InvalidArgumentException refusal) {
                if (inner instanceof PortChannel channel && method.getName().equals("putWithSignal")) {
                    channel.signal();
                }
                throw refusal;
            }
        });
    }

    @Test
    void connectsToNobody_shouldFailBy_spec0701() {
        assertFails((rank, inner, method, arguments) -> {
            boolean toNobody = inner instanceof ChannelSetup
                    && method.getName().equals("connect")
                    && (int) arguments[0] == -1
                    && arguments[2] == ChannelKind.PORT;
            return toNobody ? null : proceed(inner, method, arguments);
        });
    }

    @Test
    void pollsWhatIsClosed_shouldFailBy_spec0701() {
        assertFails((rank, inner, method, arguments) -> {
            try {
                return proceed(inner, method, arguments);
            } catch (IllegalStateException | InvalidArgumentException refusal) {
                if (inner instanceof MemoryChannel && method.getName().equals("poll")) {
                    return false;
                }
                throw refusal;
            }
        });
    }
}
