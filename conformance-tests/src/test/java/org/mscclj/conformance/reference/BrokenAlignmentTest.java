package org.mscclj.conformance.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mscclj.conformance.reference.Interception.proceed;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.ReduceScatterCall;
import org.mscclj.api.TransferCall;
import org.mscclj.api.channel.ChannelSetup;
import org.mscclj.api.channel.MemoryChannel;
import org.mscclj.api.channel.RegisteredMemory;
import org.mscclj.api.channel.Semaphore;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.suite.Outcome;
import org.mscclj.conformance.suite.RuleResult;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Feature;

/** Implementations that take misaligned memory in one kind of call. */
class BrokenAlignmentTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private static final List<String> RULES = List.of(
            "spec0106_misalignedCollectives",
            "spec0106_misalignedPlans",
            "spec0106_misalignedPartReductions",
            "spec0106_misalignedMessages",
            "spec0106_misalignedChannels");

    private static final Capabilities CAPABILITIES = new Capabilities(
            EnumSet.of(DataType.INT32),
            EnumSet.of(ReduceOp.Kind.SUM),
            2,
            Set.of(Feature.PLANS, Feature.RANKS_AS_THREADS, Feature.POINT_TO_POINT, Feature.HOST_CHANNELS));

    private static List<RuleResult> run(Interception interception) {
        return Trial.run(() -> interception, CAPABILITIES, TIMEOUT, RULES);
    }

    /** Calls of this kind are not refused: they do nothing. */
    private static Interception taking(Class<?> kindOfCall) {
        return (rank, inner, method, arguments) -> {
            try {
                return proceed(inner, method, arguments);
            } catch (InvalidArgumentException refusal) {
                if (inner instanceof Communicator communicator
                        && arguments != null
                        && kindOfCall.isInstance(arguments[0])) {
                    return method.getName().equals("prepare")
                            ? communicator.prepare(TransferCall.batch())
                            : communicator.execute(TransferCall.batch());
                }
                throw refusal;
            }
        };
    }

    @Test
    void refusingAllOfIt_keepsTheRules() {
        run(Interception.NONE).forEach(result -> assertEquals(Outcome.PASSED, result.outcome(), result::text));
    }

    @Test
    void takesMisalignedCollectives_shouldFailBy_spec0106() {
        Trial.assertFailsOnly("spec0106_misalignedCollectives", run(taking(CollectiveCall.class)));
    }

    @Test
    void takesMisalignedPlans_shouldFailBy_spec0106() {
        Trial.assertFailsOnly("spec0106_misalignedPlans", run(taking(PlanCall.class)));
    }

    @Test
    void takesMisalignedParts_shouldFailBy_spec0106() {
        Trial.assertFailsOnly("spec0106_misalignedPartReductions", run(taking(ReduceScatterCall.class)));
    }

    @Test
    void takesMisalignedMessages_shouldFailBy_spec0106() {
        Trial.assertFailsOnly("spec0106_misalignedMessages", run(taking(TransferCall.class)));
    }

    /** It moves elements that are aligned, and forgets that bytes need not be. */
    @Test
    void refusesBytesAtOddAddresses_shouldFailBy_spec0106() {
        Trial.assertFailsOnly("spec0106_misalignedMessages", run((rank, inner, method, arguments) -> {
            if (inner instanceof Communicator
                    && method.getName().equals("execute")
                    && arguments[0] instanceof TransferCall call
                    && call.type().isEmpty()
                    && call.messages().stream()
                            .anyMatch(message -> message.buffer().address() % 4 != 0)) {
                throw new InvalidArgumentException("messages begin at multiples of 4");
            }
            return proceed(inner, method, arguments);
        }));
    }

    @Test
    void takesMisalignedPackets_shouldFailBy_spec0106() {
        Trial.assertFailsOnly("spec0106_misalignedChannels", run((rank, inner, method, arguments) -> {
            try {
                return proceed(inner, method, arguments);
            } catch (InvalidArgumentException refusal) {
                if (inner instanceof MemoryChannel && method.getName().equals("putPackets")) {
                    return null;
                }
                throw refusal;
            }
        }));
    }

    @Test
    void takesMisalignedPacketMemory_shouldFailBy_spec0106() {
        Trial.assertFailsOnly("spec0106_misalignedChannels", run((rank, inner, method, arguments) -> {
            try {
                return proceed(inner, method, arguments);
            } catch (InvalidArgumentException refusal) {
                if (inner instanceof ChannelSetup setup && method.getName().equals("memoryChannel")) {
                    return setup.memoryChannel(
                            (Semaphore) arguments[0], (RegisteredMemory) arguments[1], (RegisteredMemory) arguments[2]);
                }
                throw refusal;
            }
        }));
    }
}
