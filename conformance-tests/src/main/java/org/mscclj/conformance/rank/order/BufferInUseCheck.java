package org.mscclj.conformance.rank.order;

import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.conformance.rank.CaseBuffers;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.rank.ResultCheck;
import org.mscclj.conformance.scenario.CaseData;

/** Checks that a buffer which a prepared operation uses refuses to be closed, and stays usable. */
final class BufferInUseCheck implements RankCheck {
    @Override
    public void check(RankContext context) {
        try (CaseBuffers buffers = CaseBuffers.allocate(context.communicator(), context.test());
                PreparedOperation operation = context.communicator()
                        .prepare(RankContext.call(context.test(), buffers.input(), buffers.output()))) {
            for (DeviceBuffer buffer : buffers.allocations()) {
                try {
                    buffer.close();
                    context.report(
                            FindingKind.BEHAVIOUR,
                            "a buffer was closed while a prepared operation uses it; right is InvalidArgumentException");
                } catch (InvalidArgumentException refused) {
                    continue; // expected
                }
                return;
            }
            CaseData data = new CaseData(context.test());
            buffers.fill(data);
            context.run(operation);
            new ResultCheck(context, context.test(), data, buffers).check();
        }
    }
}
