package org.mscclj.conformance.rank.call;

import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
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
 * Checks memory that ranks register after it was allocated: calls in it have right results, and a call with different
 * offsets is refused on every rank, as it is for memory that ranks have allocated together.
 */
final class RegisteredMemoryCheck implements RankCheck {
    @Override
    public void check(RankContext context) {
        Communicator communicator = context.communicator();
        TestCase test = context.test().registered(false);
        if (test.world() == 1) {
            context.report(FindingKind.NO_PART, "no other rank can pass another offset");
            return;
        }
        try (CaseBuffers buffers = CaseBuffers.allocate(communicator, test)) {
            for (DeviceBuffer memory : buffers.allocations()) {
                communicator.register(memory);
            }
            refuseDifferentOffsets(context, buffers.allocations().getFirst());
            CaseData data = new CaseData(test);
            buffers.fill(data);
            context.join(communicator.execute(RankContext.call(test, buffers.input(), buffers.output())));
            new ResultCheck(context, test, data, buffers).check();
        }
    }

    private static void refuseDifferentOffsets(RankContext context, DeviceBuffer memory) {
        long width = context.test().type().byteSize();
        boolean last = context.rank() == context.test().world() - 1;
        CollectiveCall call = CollectiveCall.allReduce(
                memory.slice(last ? 128 * width : 0, 128 * width),
                context.test().type());
        try {
            context.join(context.communicator().execute(call));
            context.report(
                    FindingKind.BEHAVIOUR,
                    "the last rank passes another offset of memory that was registered, and the call was accepted;"
                            + " right is InvalidArgumentException on every rank");
        } catch (InvalidArgumentException _) {
            // expected
        }
    }
}
