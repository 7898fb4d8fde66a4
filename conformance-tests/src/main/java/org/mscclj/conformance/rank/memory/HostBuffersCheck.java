package org.mscclj.conformance.rank.memory;

import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.conformance.rank.CaseBuffers;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.rank.ResultCheck;
import org.mscclj.conformance.scenario.CaseData;
import org.mscclj.conformance.scenario.TestCase;

/**
 * Checks a collective whose input and output are memory of the host. The memory cannot be closed until the operation is
 * closed.
 */
final class HostBuffersCheck implements RankCheck {
    @Override
    public void check(RankContext context) {
        TestCase test = context.test();
        CaseData data = new CaseData(test);
        try (CaseBuffers buffers = CaseBuffers.allocateHost(context.communicator(), test);
                PreparedOperation operation =
                        context.communicator().prepare(RankContext.call(test, buffers.input(), buffers.output()))) {
            requireInUse(context, buffers);
            buffers.fill(data);
            context.run(operation);
            new ResultCheck(context, test, data, buffers).check();
        }
    }

    private static void requireInUse(RankContext context, CaseBuffers buffers) {
        DeviceBuffer input = buffers.allocations().getFirst();
        try {
            input.close();
        } catch (InvalidArgumentException refused) {
            return; // expected
        }
        context.report(
                FindingKind.BEHAVIOUR,
                "host memory was closed while a prepared operation uses it; right is InvalidArgumentException");
    }
}
