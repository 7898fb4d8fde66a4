package org.mscclj.conformance.rank.hook;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Work;
import org.mscclj.api.hook.HookRegistration;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.conformance.rank.CaseBuffers;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.rank.ResultCheck;
import org.mscclj.conformance.scenario.CaseData;
import org.mscclj.conformance.scenario.TestCase;

/**
 * Checks that a hook is called for a call and for two launches of a prepared operation, next to a hook that fails each
 * time. After its removal it is not called, and the next call gives a correct result.
 */
final class HookCheck implements RankCheck {
    @Override
    public void check(RankContext context) {
        TestCase test = context.test();
        Communicator communicator = context.communicator();
        HookWitness witness = new HookWitness();
        CaseData data = new CaseData(test);
        try (CaseBuffers buffers = CaseBuffers.allocate(communicator, test);
                HookRegistration _ = communicator.addHook(HookWitness.failing())) {
            CollectiveCall call = RankContext.call(test, buffers.input(), buffers.output());
            HookRegistration registration = communicator.addHook(witness);
            List<Long> numbers = launches(context, call);
            registration.close();
            registration.close(); // closing it again changes nothing
            buffers.fill(data);
            context.join(communicator.execute(call));
            new ResultCheck(context, test, data, buffers).check();
            witness.require(
                    context,
                    numbers.stream()
                            .flatMap(number ->
                                    HookWitness.launch(test.collective().label(), number).stream())
                            .toList());
            requireDescriptions(context, call, witness.operations());
        }
    }

    /** Makes one call and two launches of a prepared operation; returns their numbers. */
    private static List<Long> launches(RankContext context, CollectiveCall call) {
        Communicator communicator = context.communicator();
        List<Long> numbers = new ArrayList<>();
        Work once = communicator.execute(call);
        numbers.add(once.sequence());
        context.join(once);
        try (PreparedOperation operation = communicator.prepare(call)) {
            for (int launch = 0; launch < 2; launch++) {
                operation.launch();
                numbers.add(operation.lastLaunch().sequence());
                context.join(operation);
            }
        }
        return numbers;
    }

    private static void requireDescriptions(
            RankContext context, CollectiveCall call, List<OperationDescription> operations) {
        for (OperationDescription operation : operations) {
            boolean right = operation.bytes() == call.input().byteSize()
                    && operation.type().equals(call.type().label())
                    && operation.reduction().equals(call.op().kind().label());
            if (!right) {
                context.report(
                        FindingKind.BEHAVIOUR,
                        "a hook was called for " + operation + "; right is "
                                + call.collective().label() + " of "
                                + call.input().byteSize() + " bytes, "
                                + call.type().label() + ", "
                                + call.op().kind().label());
            }
        }
        Set<OperationDescription> objects = Collections.newSetFromMap(new IdentityHashMap<>());
        objects.addAll(operations);
        if (operations.size() == 3 && objects.size() != 2) {
            context.report(
                    FindingKind.BEHAVIOUR,
                    "a call and two launches of a prepared one were described by " + objects.size()
                            + " objects; right is two, since launches of one prepared operation have the same");
        }
    }
}
