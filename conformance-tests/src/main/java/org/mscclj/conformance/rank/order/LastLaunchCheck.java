package org.mscclj.conformance.rank.order;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.conformance.element.Elements;
import org.mscclj.conformance.rank.CaseBuffers;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.Futures;
import org.mscclj.conformance.rank.Pause;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.scenario.CaseData;
import org.mscclj.conformance.scenario.Expectation;
import org.mscclj.conformance.scenario.TestCase;

/**
 * Checks the last launch of a prepared operation; the last rank launches late. Before the first launch, the operation
 * has no last launch. Afterwards its last launch orders a stream, and has a future that does not end before the last
 * rank has launched.
 */
final class LastLaunchCheck implements RankCheck {
    private static final Duration LATE = Duration.ofMillis(100);

    @Override
    public void check(RankContext context) {
        TestCase test = context.test();
        CaseData data = new CaseData(test);
        try (CaseBuffers buffers = CaseBuffers.allocate(context.communicator(), test);
                DeviceBuffer copy = context.communicator().device().allocate(test.outputBytes());
                Stream other = context.communicator().device().createStream();
                PreparedOperation operation =
                        context.communicator().prepare(RankContext.call(test, buffers.input(), buffers.output()))) {
            requireNone(context, operation);
            buffers.fill(data);
            context.communicator().barrier();
            if (context.rank() == test.world() - 1) {
                Pause.of(LATE);
                operation.launch();
                context.communicator().barrier();
            } else {
                operation.launch();
                CompletableFuture<Void> early = operation.lastLaunch().toCompletableFuture();
                if (early.isDone()) {
                    context.report(
                            FindingKind.BEHAVIOUR,
                            "the future of the last launch has ended although rank " + (test.world() - 1)
                                    + " had not launched");
                }
                context.communicator().barrier();
                Futures.requireEnd(context, early, context.timeout());
            }
            Work work = operation.lastLaunch();
            work.await(other);
            other.copy(buffers.output(), copy);
            other.synchronize(context.timeout());
            requireResult(context, data, copy);
            work.join(context.timeout());
            requireNext(context, operation, work);
        }
    }

    private static void requireNone(RankContext context, PreparedOperation operation) {
        try {
            Work work = operation.lastLaunch();
            context.report(
                    FindingKind.BEHAVIOUR,
                    "an operation that was never launched has a last launch, #" + work.sequence()
                            + "; right is InvalidArgumentException");
        } catch (InvalidArgumentException _) {
            // expected
        }
    }

    private static void requireResult(RankContext context, CaseData data, DeviceBuffer copy) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment image = arena.allocate(context.test().outputBytes());
            copy.copyTo(image);
            Elements elements = new Elements(image, context.test().type());
            Expectation expectation = new Expectation(context.test(), data);
            for (long i = 0; i < elements.count(); i++) {
                if (!expectation.accepts(context.rank(), i, elements.get(i))) {
                    context.report(
                            FindingKind.BEHAVIOUR,
                            "what a stream copied after Work.await of the last launch lacks the result: element " + i
                                    + " is " + expectation.text(elements.get(i)) + ", right is "
                                    + expectation.expected(context.rank(), i));
                    return;
                }
            }
        }
    }

    /**
     * Checks the next launch, to which the last rank comes late again. The next launch is another work, and the
     * previous work is unchanged: it has ended, and keeps its number.
     */
    private static void requireNext(RankContext context, PreparedOperation operation, Work before) {
        long number = before.sequence();
        boolean last = context.rank() == context.test().world() - 1;
        if (last) {
            context.communicator().barrier();
        }
        operation.launch();
        Work next = operation.lastLaunch();
        boolean early = !last && next.isCompleted();
        boolean ended = before.isCompleted();
        if (!last) {
            context.communicator().barrier();
        }
        next.join(context.timeout());
        if (early || !next.isCompleted()) {
            context.report(
                    FindingKind.BEHAVIOUR,
                    early
                            ? "the last launch has ended although the last rank had not launched"
                            : "the last launch was joined, and has not ended");
        }
        if (before.sequence() != number || next.sequence() != number + 1 || !ended) {
            context.report(
                    FindingKind.BEHAVIOUR,
                    "the last launch was #" + number + ", and is #" + before.sequence()
                            + (ended ? "" : ", not ended,") + " behind the next one, which is #" + next.sequence()
                            + "; right is that it stays so, and the next one has the next number");
        }
    }
}
