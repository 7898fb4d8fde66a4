package org.mscclj.conformance.rank.call;

import java.util.TreeMap;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.conformance.rank.CaseBuffers;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.rank.ResultCheck;
import org.mscclj.conformance.rank.refusal.BadCall;
import org.mscclj.conformance.rank.refusal.BadHints;
import org.mscclj.conformance.scenario.CaseData;

/**
 * Checks hints that are unknown, have a bad value, or have no meaning for a call.
 *
 * @param strict whether such hints are refused, with their names; otherwise they are ignored
 */
record HintsCheck(boolean strict) implements RankCheck {
    @Override
    public void check(RankContext context) {
        CaseData data = new CaseData(context.test());
        try (CaseBuffers buffers = CaseBuffers.allocate(context.communicator(), context.test())) {
            CollectiveCall call = RankContext.call(context.test(), buffers.input(), buffers.output());
            if (strict) {
                for (BadCall bad : BadHints.of(context.communicator(), call)) {
                    bad.problem().ifPresent(problem -> context.report(FindingKind.BEHAVIOUR, problem));
                }
            } else {
                new TreeMap<>(BadHints.hints())
                        .forEach((key, value) -> run(context, call.hint(key, value), data, buffers));
            }
            run(context, call, data, buffers);
        }
    }

    private static void run(RankContext context, CollectiveCall call, CaseData data, CaseBuffers buffers) {
        buffers.fill(data);
        try (PreparedOperation operation = context.communicator().prepare(call)) {
            context.run(operation);
        } catch (InvalidArgumentException e) {
            context.report(
                    FindingKind.BEHAVIOUR,
                    "a call with hints " + call.options().hints() + " was refused though hints are not strict: "
                            + e.getMessage());
            return;
        }
        new ResultCheck(context, context.test(), data, buffers).check();
    }
}
