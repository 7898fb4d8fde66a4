package org.mscclj.conformance.rank.refusal;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.TransferCall;
import org.mscclj.api.Window;
import org.mscclj.api.Work;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.rank.CaseBuffers;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.rank.ResultCheck;
import org.mscclj.conformance.scenario.CaseData;

/**
 * Checks that call after call is refused on every rank, by an exception that contains what was given and what is
 * allowed. Afterwards no buffer has changed, and a good call works.
 */
final class RefusalCheck implements RankCheck {
    private static final byte UNTOUCHED = 0x5a;
    private static final long SUMS = 64;
    private static final long ODD_BYTES = 37;

    private final BiFunction<RankContext, Buffers, List<BadCall>> calls;

    /** The buffers of the calls. */
    private record Buffers(DeviceBuffer input, DeviceBuffer output) {}

    private RefusalCheck(BiFunction<RankContext, Buffers, List<BadCall>> calls) {
        this.calls = calls;
    }

    static RankCheck ofCollectives(List<Collective> collectives) {
        return new RefusalCheck((context, buffers) -> both(
                BadCollectives.of(
                        context.communicator(),
                        buffers.input,
                        buffers.output,
                        context.test().type(),
                        collectives),
                BadShortForms.ofCollectives(
                        context.communicator(), buffers.input, context.test().type())));
    }

    static RankCheck ofMemory() {
        return new RefusalCheck((context, buffers) -> BadMemory.of(context.communicator(), buffers.input));
    }

    static RankCheck ofReductions() {
        return new RefusalCheck((context, buffers) -> BadMessages.ofReductions(
                context.communicator(), buffers.input, context.test().type()));
    }

    /** Returns a check of collectives on misaligned buffers, and on buffers of 0 bytes, which may begin anywhere. */
    static RankCheck ofMisalignedCollectives(List<Collective> collectives) {
        return new RefusalCheck((context, buffers) -> {
            for (Collective collective : collectives) {
                accept(
                        context,
                        collective + " of 0 bytes at an odd address",
                        () -> context.communicator()
                                .execute(new CollectiveCall(
                                        collective,
                                        buffers.input.slice(1, 0),
                                        buffers.output.slice(3, 0),
                                        context.test().type(),
                                        collective.reduces() ? ReduceOp.SUM : ReduceOp.NOP,
                                        0,
                                        Optional.empty()))
                                .join(context.timeout()));
            }
            return Misaligned.collectives(
                    context.communicator(), buffers.input, context.test().type(), collectives);
        });
    }

    static RankCheck ofMisalignedPlans() {
        return new RefusalCheck((context, buffers) -> Misaligned.plans(
                context.communicator(), buffers.input, context.test().type()));
    }

    static RankCheck ofMisalignedReductions() {
        return new RefusalCheck((context, buffers) -> Misaligned.reductions(
                context.communicator(), buffers.input, context.test().type()));
    }

    /** Returns a check of sends of misaligned elements, and of sends of bytes, which may begin anywhere. */
    static RankCheck ofMisalignedMessages() {
        return new RefusalCheck((context, buffers) -> {
            int ranks = context.test().world();
            TransferCall bytes = TransferCall.batch()
                    .send(buffers.input.slice(1, ODD_BYTES), (context.rank() + 1) % ranks)
                    .receive(buffers.output.slice(3, ODD_BYTES), (context.rank() + ranks - 1) % ranks);
            accept(
                    context,
                    "a message of bytes at an odd address",
                    () -> context.communicator().execute(bytes).join(context.timeout()));
            return Misaligned.messages(
                    context.communicator(), buffers.input, context.test().type());
        });
    }

    private static void accept(RankContext context, String what, Runnable call) {
        try {
            call.run();
        } catch (InvalidArgumentException e) {
            context.report(FindingKind.BEHAVIOUR, what + " was refused: " + e.getMessage());
        }
    }

    static RankCheck ofMessages() {
        return new RefusalCheck((context, buffers) -> both(
                BadMessages.ofMessages(context.communicator(), buffers.input),
                BadShortForms.ofMessages(context.communicator(), buffers.input)));
    }

    /** Returns a check of accesses to an open and to a closed window. */
    static RankCheck ofWindows() {
        return context -> new RefusalCheck((inner, buffers) -> {
                    Window window = inner.communicator().openWindow(buffers.output);
                    try (window) {
                        tryAll(inner, BadAccesses.of(inner.communicator(), window, buffers.input));
                        tryAll(inner, BadShortForms.ofWindow(inner.communicator(), window));
                    }
                    return ClosedCalls.of(window, buffers.input);
                })
                .check(context);
    }

    /** Returns a check of streams, events and timeouts. */
    static RankCheck ofStreams() {
        return new RefusalCheck((context, buffers) -> {
            Communicator communicator = context.communicator();
            try (DeviceBuffer sums = communicator.allocate(SUMS)) {
                CollectiveCall call =
                        CollectiveCall.allReduce(sums, context.test().type());
                try (PreparedOperation operation = communicator.prepare(call)) {
                    Work ended = communicator.execute(call);
                    ended.join();
                    tryAll(context, BadStreams.ofLaunches(communicator, call, operation, ended));
                }
            }
            return BadStreams.ofStreams(communicator, buffers.input);
        });
    }

    /** Returns a check of captures and replays. */
    static RankCheck ofGraphs() {
        return new RefusalCheck((context, buffers) -> BadStreams.ofGraphs(context.communicator(), buffers.input));
    }

    /** Returns a check of uses of closed buffers, operations and communicators. */
    static RankCheck ofClosed() {
        return new RefusalCheck((context, buffers) -> {
            Device device = context.communicator().device();
            for (DeviceBuffer buffer : List.of(device.allocate(64), device.allocateHost(64))) {
                buffer.close();
                tryAll(
                        context,
                        ClosedCalls.of(
                                buffer, context.communicator(), context.test().type()));
            }
            CollectiveCall sum =
                    CollectiveCall.allReduce(buffers.input, context.test().type());
            PreparedOperation operation = context.communicator().prepare(sum);
            operation.close();
            tryAll(context, ClosedCalls.of(operation, context.communicator()));
            Communicator communicator = context.second();
            communicator.close();
            return ClosedCalls.of(communicator, buffers.input, context.test().type());
        });
    }

    private static List<BadCall> both(List<BadCall> some, List<BadCall> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }

    private static void tryAll(RankContext context, List<BadCall> calls) {
        for (BadCall call : calls) {
            call.problem().ifPresent(problem -> context.report(FindingKind.BEHAVIOUR, problem));
        }
    }

    @Override
    public void check(RankContext context) {
        int world = context.test().world();
        long bytes = Math.max(Misaligned.bytes(world), Math.max(BadCollectives.bytes(world), BadMessages.bytes(world)));
        byte[] before = new byte[(int) bytes];
        Arrays.fill(before, UNTOUCHED);
        try (DeviceBuffer input = context.communicator().allocate(bytes);
                DeviceBuffer output = context.communicator().allocate(bytes)) {
            for (DeviceBuffer buffer : List.of(input, output)) {
                buffer.copyFrom(MemorySegment.ofArray(before));
            }
            tryAll(context, calls.apply(context, new Buffers(input, output)));
            context.communicator().barrier();
            for (DeviceBuffer buffer : List.of(input, output)) {
                byte[] after = new byte[before.length];
                buffer.copyTo(MemorySegment.ofArray(after));
                if (!Arrays.equals(before, after)) {
                    context.report(FindingKind.BEHAVIOUR, "calls that were refused have changed a buffer");
                }
            }
        }
        callRightly(context);
    }

    private static void callRightly(RankContext context) {
        CaseData data = new CaseData(context.test());
        try (CaseBuffers buffers = CaseBuffers.allocate(context.communicator(), context.test());
                PreparedOperation operation = context.communicator()
                        .prepare(RankContext.call(context.test(), buffers.input(), buffers.output()))) {
            buffers.fill(data);
            context.run(operation);
            new ResultCheck(context, context.test(), data, buffers).check();
        }
    }
}
