package org.mscclj.conformance.rank.refusal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.element.Elements;
import org.mscclj.conformance.rank.CaseBuffers;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.rank.ResultCheck;
import org.mscclj.conformance.scenario.CaseData;
import org.mscclj.conformance.scenario.TestCase;

/**
 * Checks that calls with bad arguments are refused on every rank and change nothing, and that a good call works
 * afterwards.
 */
final class BadArgumentsCheck implements RankCheck {
    @Override
    public void check(RankContext context) {
        TestCase test = context.test();
        CaseData data = new CaseData(test);
        try (CaseBuffers buffers = CaseBuffers.allocate(context.communicator(), test)) {
            buffers.fill(data);
            badCalls(context, buffers).forEach((what, call) -> refuse(context, what, call));
            requireUntouched(context, data, buffers);
            try (PreparedOperation operation =
                    context.communicator().prepare(RankContext.call(test, buffers.input(), buffers.output()))) {
                context.run(operation);
                new ResultCheck(context, test, data, buffers).check();
            }
        }
    }

    private static void refuse(RankContext context, String what, CollectiveCall call) {
        try {
            context.communicator().prepare(call).close();
            context.report(
                    FindingKind.BEHAVIOUR, what + " was accepted; right is InvalidArgumentException on every rank");
        } catch (InvalidArgumentException refused) {
            if (refused.getMessage() == null || refused.getMessage().isBlank()) {
                context.report(FindingKind.BEHAVIOUR, what + " was refused without saying why");
            }
        }
    }

    /** Returns the calls, which all ranks make in one order. */
    private static Map<String, CollectiveCall> badCalls(RankContext context, CaseBuffers buffers) {
        TestCase test = context.test();
        DeviceBuffer input = buffers.input();
        DeviceBuffer output = buffers.output();
        int width = test.type().byteSize();
        boolean last = context.rank() == test.world() - 1;
        Map<String, CollectiveCall> calls = new LinkedHashMap<>();
        calls.put(
                "an output one element smaller than the input",
                RankContext.call(test, input, output.slice(0, output.byteSize() - width)));
        if (width > 1) {
            calls.put(
                    "a size that is no whole number of elements",
                    RankContext.call(test, input.slice(0, width - 1), output.slice(0, width - 1)));
        }
        calls.put(
                "an output that overlaps the input in part",
                RankContext.call(
                        test,
                        output.slice(0, output.byteSize() - width),
                        output.slice(width, output.byteSize() - width)));
        if (test.world() > 1) {
            calls.put(
                    "a size that differs on the last rank",
                    last
                            ? RankContext.call(
                                    test, input.slice(0, input.byteSize() / 2), output.slice(0, output.byteSize() / 2))
                            : RankContext.call(test, input, output));
            calls.put(
                    "a type that differs on the last rank",
                    last
                            ? RankContext.call(test.type(otherOfSameSize(test.type())), input, output)
                            : RankContext.call(test, input, output));
            calls.put(
                    "an operation that differs on the last rank",
                    RankContext.call(last ? test.op(ReduceOp.MAX) : test, input, output));
        }
        if (test.type().isFloat()) {
            calls.put("bxor of floating point", RankContext.call(test.op(ReduceOp.BXOR), input, output));
        }
        calls.put(
                "a root that does not exist",
                RankContext.call(test.collective(Collective.BROADCAST).root(test.world()), input, output));
        return calls;
    }

    private static DataType otherOfSameSize(DataType type) {
        List<DataType> others = new ArrayList<>();
        for (DataType other : DataType.values()) {
            if (other != type && other.byteSize() == type.byteSize()) {
                others.add(other);
            }
        }
        return others.getFirst();
    }

    private static void requireUntouched(RankContext context, CaseData data, CaseBuffers buffers) {
        buffers.download();
        Elements output = buffers.outputElements();
        for (long i = 0; i < output.count(); i++) {
            if (output.get(i) != data.poison(context.rank(), i)) {
                context.report(FindingKind.BEHAVIOUR, "a refused call has written element " + i + " of the output");
                return;
            }
        }
    }
}
