package org.mscclj.conformance.rank.order;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.conformance.element.Elements;
import org.mscclj.conformance.rank.CaseBuffers;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.Pause;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.scenario.CaseData;
import org.mscclj.conformance.scenario.Expectation;
import org.mscclj.conformance.scenario.TestCase;

/**
 * Checks that a copy on another stream, ordered after an operation by {@code Work.await}, sees the operation's result,
 * although one rank launches late.
 */
final class AwaitCheck implements RankCheck {
    private static final Duration LATE = Duration.ofMillis(100);

    @Override
    public void check(RankContext context) {
        TestCase test = context.test();
        CaseData data = new CaseData(test);
        try (CaseBuffers buffers = CaseBuffers.allocate(context.communicator(), test);
                DeviceBuffer copy = context.communicator().device().allocate(test.outputBytes());
                Stream other = context.communicator().device().createStream();
                Arena arena = Arena.ofConfined()) {
            CollectiveCall call = RankContext.call(test, buffers.input(), buffers.output());
            context.join(context.communicator().execute(call)); // later calls of this signature wait for no rank
            buffers.fill(data);
            context.communicator().barrier();
            if (context.rank() == test.world() - 1) {
                Pause.of(LATE);
            }
            Work work = context.communicator().execute(call);
            work.await(other);
            other.copy(buffers.output(), copy);
            other.synchronize(context.timeout());
            MemorySegment image = arena.allocate(test.outputBytes());
            copy.copyTo(image);
            work.join(context.timeout());
            Elements elements = new Elements(image, test.type());
            Expectation expectation = new Expectation(test, data);
            for (long i = 0; i < elements.count(); i++) {
                if (!expectation.accepts(context.rank(), i, elements.get(i))) {
                    context.report(
                            FindingKind.BEHAVIOUR,
                            "what a stream copied after Work.await lacks the result: element " + i + " is "
                                    + expectation.text(elements.get(i)) + ", right is "
                                    + expectation.expected(context.rank(), i));
                    return;
                }
            }
        }
    }
}
