package org.mscclj.conformance.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.mscclj.api.Communicator;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.group.WrappedRanks;
import org.mscclj.conformance.suite.Outcome;
import org.mscclj.conformance.suite.RuleResult;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Feature;

/**
 * The rule about the health of a process, which counts the faults of all its communicators: so nothing else has faults
 * meanwhile.
 */
@Isolated
class BrokenHealthTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final String RULE = "spec0715_faultsAreInTheHealth";

    private static final Capabilities CAPABILITIES = new Capabilities(
            EnumSet.of(DataType.INT32, DataType.FLOAT32),
            EnumSet.of(ReduceOp.Kind.SUM),
            3,
            Set.of(Feature.PLANS, Feature.RANKS_AS_THREADS, Feature.POINT_TO_POINT));

    private static List<RuleResult> run(Supplier<Interception> interceptions) {
        return Trial.run(interceptions, CAPABILITIES, TIMEOUT, List.of(RULE));
    }

    @Test
    void aRightProcessKeepsTheRule() {
        run(() -> Interception.NONE).forEach(result -> assertEquals(Outcome.PASSED, result.outcome(), result::text));
    }

    @Test
    void takesADifferenceForAnAbort_shouldFailBy_spec0715() {
        Trial.assertFailsOnly(RULE, run(() -> (rank, inner, method, arguments) -> {
            boolean message =
                    method.getName().equals("send") || method.getName().equals("receive");
            if (message && inner instanceof Communicator communicator) {
                String sizes = ((DeviceBuffer) arguments[0]).byteSize() + " bytes";
                communicator.abort(sizes);
                throw new AbortedException(sizes);
            }
            return WrappedRanks.invoke(inner, method, arguments);
        }));
    }
}
