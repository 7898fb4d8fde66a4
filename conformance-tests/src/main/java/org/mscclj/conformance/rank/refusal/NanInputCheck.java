package org.mscclj.conformance.rank.refusal;

import java.util.function.Consumer;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.option.KnownHint;
import org.mscclj.conformance.element.ElementCodec;
import org.mscclj.conformance.element.Elements;
import org.mscclj.conformance.rank.CaseBuffers;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.rank.Region;
import org.mscclj.conformance.rank.ResultCheck;
import org.mscclj.conformance.scenario.CaseData;
import org.mscclj.conformance.scenario.TestCase;

/**
 * Checks the NaN check of inputs. With the check, the call of a rank with NaN in its input is refused on this rank
 * alone, which then calls with other data. Without the check, no call is refused.
 */
final class NanInputCheck implements RankCheck {
    @Override
    public void check(RankContext context) {
        TestCase test = context.test();
        try (CaseBuffers buffers = CaseBuffers.allocate(context.communicator(), test)) {
            CollectiveCall call = RankContext.call(test, buffers.input(), buffers.output());
            CollectiveCall looking = call.hint(KnownHint.NAN_CHECK.key(), "true");
            CollectiveCall notLooking = call.hint(KnownHint.NAN_CHECK.key(), "false");
            for (int time = 0; time < 2; time++) { // the first call is set up
                refuseOnce(
                        context,
                        buffers,
                        time,
                        () -> context.join(context.communicator().execute(looking)));
            }
            launchBad(
                    context, buffers, () -> context.join(context.communicator().execute(notLooking)));
            try (PreparedOperation operation = context.communicator().prepare(looking)) {
                refuseOnce(context, buffers, 2, () -> context.run(operation));
                refuseOnce(context, buffers, 3, () -> {
                    operation.launch();
                    context.join(operation);
                });
            }
            try (PreparedOperation operation = context.communicator().prepare(notLooking)) {
                launchBad(context, buffers, () -> context.run(operation));
            }
        }
    }

    /** Returns the rank that has a NaN in its input. */
    private static int bad(TestCase test) {
        return (int) Math.floorMod(test.seed(), (long) test.world());
    }

    private static long index(TestCase test) {
        return Math.floorMod(test.seed() >>> 8, test.inputCount());
    }

    /** Fills the buffers; on the bad rank with a NaN in the input. */
    private static void fillBad(RankContext context, CaseBuffers buffers, CaseData data) {
        TestCase test = context.test();
        buffers.fill(data);
        if (context.rank() == bad(test)) {
            Elements input = buffers.inputElements();
            input.set(index(test), new ElementCodec(test.type()).encode(Double.NaN));
            buffers.regions().forEach(Region::upload);
        }
    }

    private static void refuseOnce(RankContext context, CaseBuffers buffers, int time, Runnable launching) {
        TestCase test = context.test().seed(context.test().seed() + time);
        CaseData data = new CaseData(test);
        Consumer<String> report = text -> context.report(FindingKind.BEHAVIOUR, text);
        fillBad(context, buffers, data);
        if (context.rank() == bad(context.test())) {
            try {
                launching.run();
                report.accept("a launch was not refused though there is NaN at element " + index(context.test())
                        + " of the input");
                return;
            } catch (InvalidArgumentException e) {
                requireNamed(context, String.valueOf(e.getMessage()), report);
            }
            buffers.fill(data);
        }
        launching.run();
        if (!context.hasFindings()) {
            new ResultCheck(context, test, data, buffers).check();
        }
    }

    private static void requireNamed(RankContext context, String message, Consumer<String> report) {
        String rank = "rank " + context.rank();
        String element = "element " + index(context.test()) + " ";
        if (!message.contains(rank) || !message.contains(element)) {
            report.accept("a launch was refused without saying \"" + rank + "\" and \"" + element + "\": " + message);
        }
    }

    private static void launchBad(RankContext context, CaseBuffers buffers, Runnable launching) {
        fillBad(context, buffers, new CaseData(context.test()));
        try {
            launching.run();
        } catch (InvalidArgumentException e) {
            context.report(
                    FindingKind.BEHAVIOUR, "a launch was refused although it has no NaN check: " + e.getMessage());
        }
    }
}
