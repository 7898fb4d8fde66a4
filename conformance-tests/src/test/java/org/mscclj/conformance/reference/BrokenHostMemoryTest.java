package org.mscclj.conformance.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mscclj.conformance.reference.Interception.proceed;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.group.WrappedRanks;
import org.mscclj.conformance.suite.Outcome;
import org.mscclj.conformance.suite.RuleResult;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Feature;

/**
 * The rules about memory of the host that a device gives: each is broken by a wrong implementation, and by no other.
 */
@Tag("deep")
class BrokenHostMemoryTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static final Capabilities CAPABILITIES = new Capabilities(
            EnumSet.of(DataType.INT32, DataType.FLOAT32),
            EnumSet.of(ReduceOp.Kind.SUM, ReduceOp.Kind.MAX),
            4,
            Set.of(Feature.PLANS, Feature.RANKS_AS_THREADS, Feature.GRAPH_CAPTURE));

    private static final String HOST = "spec0108_hostAllocations";
    private static final String COLLECTIVES = "spec0108_collectivesOnHostAllocations";
    private static final String REPLAYED = "spec0108_copiesOfHostAllocationsAreReplayed";

    private static final List<String> RULES =
            List.of("spec0608_graphsAreReplayedBetweenLaunches", HOST, COLLECTIVES, REPLAYED);

    private static List<RuleResult> run(Supplier<Interception> interceptions) {
        return Trial.run(interceptions, CAPABILITIES, TIMEOUT, RULES);
    }

    private static void assertFailsOnly(String rule, Supplier<Interception> interceptions) {
        Trial.assertFailsOnly(rule, run(interceptions));
    }

    @Test
    void rightRanksKeepEveryRule() {
        run(() -> Interception.NONE).forEach(result -> assertEquals(Outcome.PASSED, result.outcome(), result::text));
    }

    @Test
    void givesUsedMemory_shouldFailBy_spec0108() {
        assertFailsOnly(HOST, () -> (rank, inner, method, arguments) -> {
            Object result = proceed(inner, method, arguments);
            if (method.getName().equals("allocateHost") && result instanceof DeviceBuffer buffer) {
                buffer.segment().fill((byte) 1);
            }
            return result;
        });
    }

    /** As where copies of host memory are staged, and the stage is not written back. */
    @Test
    void copiesNothingToTheHost_shouldFailBy_spec0108() {
        assertFailsOnly(HOST, () -> {
            HostRanges host = new HostRanges();
            return (rank, inner, method, arguments) -> {
                if (method.getName().equals("copy")
                        && inner instanceof Stream stream
                        && !stream.isCapturing()
                        && host.holds((DeviceBuffer) arguments[1])) {
                    return null;
                }
                return host.noted(method, proceed(inner, method, arguments));
            };
        });
    }

    @Test
    void givesCopiesAsSegments_shouldFailBy_spec0108() {
        assertFailsOnly(
                HOST,
                () -> (rank, inner, method, arguments) -> withOther(
                        "segment",
                        buffer -> MemorySegment.ofArray(new byte[(int) buffer.byteSize()]),
                        method,
                        proceed(inner, method, arguments)));
    }

    @Test
    void leavesMemoryOpen_shouldFailBy_spec0108() {
        assertFailsOnly(
                HOST,
                () -> (rank, inner, method, arguments) ->
                        withOther("close", buffer -> buffer, method, proceed(inner, method, arguments)));
    }

    /** Host memory of which one method does something else. */
    private static Object withOther(String name, Function<DeviceBuffer, Object> instead, Method method, Object result) {
        return method.getName().equals("allocateHost") && result instanceof DeviceBuffer buffer
                ? WrappedRanks.wrap(
                        DeviceBuffer.class,
                        buffer,
                        (called, arguments) -> called.getName().equals(name)
                                ? instead.apply(buffer)
                                : WrappedRanks.invoke(buffer, called, arguments))
                : result;
    }

    @Test
    void refusesHostMemoryInCollectives_shouldFailBy_spec0108() {
        assertFailsOnly(COLLECTIVES, () -> {
            HostRanges host = new HostRanges();
            return (rank, inner, method, arguments) -> {
                if (method.getName().equals("prepare")
                        && arguments[0] instanceof CollectiveCall call
                        && host.holds(call.input())) {
                    throw InvalidArgumentException.of("input", "memory of the host", "memory of a device");
                }
                return host.noted(method, proceed(inner, method, arguments));
            };
        });
    }

    @Test
    void copiesWhileItCaptures_shouldFailBy_spec0108() {
        assertFailsOnly(REPLAYED, () -> (rank, inner, method, arguments) -> {
            if (method.getName().equals("copy") && inner instanceof Stream stream && stream.isCapturing()) {
                ((DeviceBuffer) arguments[1]).copyFrom(((DeviceBuffer) arguments[0]).segment());
                return null;
            }
            return proceed(inner, method, arguments);
        });
    }

    /** Where host memory is. Safe for use by several threads. */
    private static final class HostRanges {
        private final Map<Long, Long> ends = new ConcurrentHashMap<>();

        Object noted(Method method, Object result) {
            if (result instanceof DeviceBuffer buffer) {
                ends.keySet()
                        .removeIf(start -> start < buffer.address() + buffer.byteSize() // it was closed
                                && buffer.address() < ends.getOrDefault(start, start));
                if (method.getName().equals("allocateHost")) {
                    ends.put(buffer.address(), buffer.address() + buffer.byteSize());
                }
            }
            return result;
        }

        boolean holds(DeviceBuffer buffer) {
            return ends.entrySet().stream()
                    .anyMatch(range -> range.getKey() <= buffer.address() && buffer.address() < range.getValue());
        }
    }
}
