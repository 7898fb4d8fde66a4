package org.mscclj.conformance.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mscclj.conformance.reference.Interception.proceed;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.mscclj.api.channel.Channel;
import org.mscclj.api.channel.MemoryChannel;
import org.mscclj.api.channel.PortChannel;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.suite.Outcome;
import org.mscclj.conformance.suite.RuleResult;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Feature;

/** Channels made by hand whose waits are wrong where the peer has closed its communicator. */
class BrokenClosedPeersTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final String MEMORY = "spec0707_closedPeersOfMemoryChannelsAreNamed";
    private static final String PORT = "spec0707_closedPeersOfPortChannelsAreNamed";

    private static final Capabilities CAPABILITIES = new Capabilities(
            EnumSet.of(DataType.INT32),
            EnumSet.of(ReduceOp.Kind.SUM),
            2,
            Set.of(Feature.PLANS, Feature.RANKS_AS_THREADS, Feature.HOST_CHANNELS));

    private static List<RuleResult> run(Supplier<Interception> interceptions) {
        return Trial.run(interceptions, CAPABILITIES, TIMEOUT, List.of(MEMORY, PORT));
    }

    /** Waits on channels of a type that throw something else where the peer has closed. */
    private static Interception throwing(Class<? extends Channel> type, UnaryOperator<MsccljException> replacement) {
        return (rank, inner, method, arguments) -> {
            try {
                return proceed(inner, method, arguments);
            } catch (RankLostException e) {
                throw type.isInstance(inner) && method.getName().equals("await") ? replacement.apply(e) : e;
            }
        };
    }

    @Test
    void rightWaitsKeepTheRules() {
        run(() -> Interception.NONE).forEach(result -> assertEquals(Outcome.PASSED, result.outcome(), result::text));
    }

    @Test
    void waitsOnOnMemoryChannels_shouldFailBy_spec0707() {
        Trial.assertFailsOnly(
                MEMORY,
                run(() -> throwing(
                        MemoryChannel.class,
                        e -> new OperationTimeoutException(String.valueOf(e.getMessage()), List.of()))));
    }

    @Test
    void waitsOnOnPortChannels_shouldFailBy_spec0707() {
        Trial.assertFailsOnly(
                PORT,
                run(() -> throwing(
                        PortChannel.class,
                        e -> new OperationTimeoutException(String.valueOf(e.getMessage()), List.of()))));
    }

    @Test
    void namesAnotherRank_shouldFailBy_spec0707() {
        Trial.assertFailsOnly(
                PORT,
                run(() -> throwing(PortChannel.class, e -> new RankLostException(0, String.valueOf(e.getMessage())))));
    }

    /** Once it knows that a peer has closed, it does not look for what that has sent before. */
    @Test
    void losesSignalsOfBefore_shouldFailBy_spec0707() {
        Trial.assertFailsOnly(MEMORY, run(() -> {
            AtomicReference<Optional<RankLostException>> known = new AtomicReference<>(Optional.empty());
            return (rank, inner, method, arguments) -> {
                boolean waits =
                        inner instanceof MemoryChannel && method.getName().equals("await");
                if (waits && known.get().isPresent()) {
                    throw known.get().get();
                }
                try {
                    return proceed(inner, method, arguments);
                } catch (RankLostException e) {
                    known.set(waits ? Optional.of(e) : known.get());
                    throw e;
                }
            };
        }));
    }
}
