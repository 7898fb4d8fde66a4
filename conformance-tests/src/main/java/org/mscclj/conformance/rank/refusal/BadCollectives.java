package org.mscclj.conformance.rank.refusal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.mscclj.api.BarrierCall;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.algorithm.CallShape;
import org.mscclj.api.algorithm.Selection;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/** Calls of collectives with bad arguments. Each is prepared, and executed. All ranks make the calls in one order. */
final class BadCollectives {
    /** Bytes of a part that is valid for every collective. */
    private static final long PART = 256;

    /**
     * The message about an operation that the backend does not declare. It may replace the message about another fault
     * of the call.
     */
    private static final String NOT_DECLARED = "allowed: those of the backend";

    private final Communicator communicator;
    private final DeviceBuffer input;
    private final DeviceBuffer output;
    private final DataType type;
    private final List<BadCall> calls = new ArrayList<>();

    private BadCollectives(Communicator communicator, DeviceBuffer input, DeviceBuffer output, DataType type) {
        this.communicator = communicator;
        this.input = input;
        this.output = output;
        this.type = type;
    }

    /** Returns the size in bytes that the buffers of {@link #of} need. */
    static long bytes(int ranks) {
        return PART * (ranks + 1);
    }

    /** Returns the calls. */
    static List<BadCall> of(
            Communicator communicator,
            DeviceBuffer input,
            DeviceBuffer output,
            DataType type,
            List<Collective> collectives) {
        BadCollectives bad = new BadCollectives(communicator, input, output, type);
        for (Collective collective : collectives) {
            bad.addSizes(collective);
            bad.addRoots(collective);
            bad.addOperations(collective);
            bad.addBuffers(collective);
        }
        bad.addChoices();
        bad.addNulls();
        return bad.calls;
    }

    private CollectiveCall call(Collective collective, DeviceBuffer in, DeviceBuffer out, ReduceOp op, int root) {
        return new CollectiveCall(collective, in, out, type, op, root, Optional.empty());
    }

    private CollectiveCall call(Collective collective, DeviceBuffer in, DeviceBuffer out) {
        return call(collective, in, out, op(collective), 0);
    }

    private DeviceBuffer in(Collective collective) {
        return input.slice(0, PART * collective.inputSlices(communicator.size()));
    }

    private DeviceBuffer out(Collective collective) {
        return output.slice(0, PART * collective.outputSlices(communicator.size()));
    }

    private void add(String what, Supplier<CollectiveCall> call, Object... words) {
        calls.add(BadCall.of("preparing " + what, BadCall.preparing(() -> communicator.prepare(call.get())), words));
        calls.add(BadCall.of("executing " + what, BadCall.executing(() -> communicator.execute(call.get())), words));
        calls.add(BadCall.of("explaining " + what, () -> explain(call.get()), words));
    }

    private void explain(CollectiveCall call) {
        Selection _ = communicator.explain(call);
    }

    private void shape(CollectiveCall call) {
        CallShape _ = communicator.shape(call);
    }

    private void addSizes(Collective collective) {
        int width = type.byteSize();
        long inputBytes = in(collective).byteSize();
        long outputBytes = out(collective).byteSize();
        if (width > 1) {
            add(
                    collective + " of a part of an element",
                    () -> call(collective, input.slice(0, inputBytes - 1), out(collective)),
                    "input",
                    inputBytes - 1,
                    "multiple");
            add(
                    collective + " into a part of an element",
                    () -> call(collective, in(collective), output.slice(0, outputBytes - 1)),
                    "output",
                    outputBytes - 1,
                    "multiple");
        }
        int parts = collective.outputSlices(communicator.size());
        add(
                collective + " into another number of elements",
                () -> call(collective, in(collective), output.slice(0, outputBytes - (long) parts * width)),
                "output",
                outputBytes - (long) parts * width,
                outputBytes);
    }

    private void addRoots(Collective collective) {
        int last = communicator.size() - 1;
        for (int root : collective.hasRoot() ? new int[] {-1, last + 1} : new int[] {1}) {
            add(
                    collective + " with root " + root,
                    () -> call(collective, in(collective), out(collective), op(collective), root),
                    "root",
                    root,
                    collective.hasRoot() ? "0 to " + last : "0");
            calls.add(BadCall.of(
                    "the shape of " + collective + " with root " + root,
                    () -> shape(call(collective, in(collective), out(collective), op(collective), root)),
                    "root",
                    root));
        }
    }

    private static ReduceOp op(Collective collective) {
        return collective.reduces() ? ReduceOp.SUM : ReduceOp.NOP;
    }

    private void addOperations(Collective collective) {
        ReduceOp wrong = collective.reduces() ? ReduceOp.NOP : ReduceOp.SUM;
        add(
                collective + " with operation " + wrong,
                () -> call(collective, in(collective), out(collective), wrong, 0),
                "operation",
                wrong,
                "nop");
        if (collective.reduces() && type.isFloat()) {
            add(
                    collective + " with " + ReduceOp.BXOR + " of " + type,
                    () -> call(collective, in(collective), out(collective), ReduceOp.BXOR, 0),
                    ReduceOp.BXOR,
                    BadCall.OneOf.of(type, NOT_DECLARED));
        }
        if (collective.reduces()) {
            add(
                    collective + " with a factor of another size",
                    () -> call(
                            collective,
                            in(collective),
                            out(collective),
                            ReduceOp.premulSum(output.slice(0, 3L * type.byteSize())),
                            0),
                    BadCall.OneOf.of("factor", NOT_DECLARED),
                    BadCall.OneOf.of(3L * type.byteSize(), NOT_DECLARED),
                    BadCall.OneOf.of(type, NOT_DECLARED));
        } else {
            calls.add(BadCall.of(
                    "an operation for " + collective,
                    () -> call(collective, in(collective), out(collective)).op(ReduceOp.MAX),
                    "operation",
                    ReduceOp.MAX,
                    "none"));
        }
    }

    private void addBuffers(Collective collective) {
        int width = type.byteSize();
        add(
                collective + " over buffers that overlap in part",
                () -> call(
                        collective,
                        input.slice(0, in(collective).byteSize()),
                        input.slice(width, out(collective).byteSize())),
                "overlap",
                "separate");
        add(
                collective + " of a closed buffer",
                () -> call(collective, closed(in(collective)), out(collective)),
                "closed");
        add(
                collective + " into a closed buffer",
                () -> call(collective, in(collective), closed(out(collective))),
                "closed");
        add(
                collective + " of memory of another backend",
                () -> call(collective, new ForeignBuffer(in(collective)), out(collective)),
                "backend");
    }

    private DeviceBuffer closed(DeviceBuffer like) {
        DeviceBuffer buffer = communicator.device().allocate(like.byteSize());
        buffer.close();
        return buffer;
    }

    private void addChoices() {
        Collective collective = Collective.ALLREDUCE;
        add(
                "an algorithm that does not exist",
                () -> call(collective, in(collective), out(collective)).algorithm("conformance"),
                "algorithm",
                "conformance",
                "one of");
        Duration timeout = Duration.ofSeconds(-1);
        calls.add(BadCall.of(
                "a timeout of " + DurationText.of(timeout),
                () -> call(collective, in(collective), out(collective)).timeout(timeout),
                "timeout",
                timeout,
                "0 for none"));
        calls.add(BadCall.of(
                "a hint without a key",
                () -> call(collective, in(collective), out(collective)).hint(" ", "true"),
                "hint",
                "\" \""));
        calls.add(BadCall.of(
                "a factor that is no number", () -> ReduceOp.premulSum(Double.NaN), "factor", "NaN", "finite"));
    }

    private void addNulls() {
        Collective reduce = Collective.REDUCE;
        DeviceBuffer in = in(reduce);
        DeviceBuffer out = out(reduce);
        calls.add(BadCall.withNull(
                "call",
                "prepare",
                () -> communicator.prepare(Nothing.<CollectiveCall>at()).close()));
        calls.add(BadCall.withNull("call", "explain", () -> explain(Nothing.<CollectiveCall>at())));
        calls.add(BadCall.withNull("call", "shape", () -> shape(Nothing.<CollectiveCall>at())));
        calls.add(BadCall.withNull(
                "call",
                "execute",
                () -> communicator.execute(Nothing.<CollectiveCall>at()).join()));
        calls.add(BadCall.withNull(
                "call",
                "execute on a stream",
                () -> communicator
                        .execute(Nothing.<CollectiveCall>at(), communicator.stream())
                        .join()));
        calls.add(BadCall.withNull(
                "call",
                "prepare of a barrier",
                () -> communicator.prepare(Nothing.<BarrierCall>at()).close()));
        calls.add(BadCall.withNull(
                "call",
                "execute of a barrier",
                () -> communicator.execute(Nothing.<BarrierCall>at()).join()));
        calls.add(BadCall.withNull("input", "reduce", () -> CollectiveCall.reduce(Nothing.at(), out, type, 0)));
        calls.add(BadCall.withNull("output", "reduce", () -> CollectiveCall.reduce(in, Nothing.at(), type, 0)));
        calls.add(BadCall.withNull("type", "reduce", () -> CollectiveCall.reduce(in, out, Nothing.at(), 0)));
        calls.add(BadCall.withNull(
                "op", "op", () -> CollectiveCall.reduce(in, out, type, 0).op(Nothing.at())));
        calls.add(BadCall.withNull(
                "algorithm",
                "algorithm",
                () -> CollectiveCall.reduce(in, out, type, 0).algorithm(Nothing.at())));
        calls.add(BadCall.withNull(
                "timeout",
                "timeout",
                () -> CollectiveCall.reduce(in, out, type, 0).timeout(Nothing.at())));
        calls.add(BadCall.withNull(
                "key", "hint", () -> CollectiveCall.reduce(in, out, type, 0).hint(Nothing.at(), "true")));
        calls.add(BadCall.withNull(
                "value", "hint", () -> CollectiveCall.reduce(in, out, type, 0).hint("key", Nothing.at())));
        calls.add(BadCall.withNull("collective", "CollectiveCall", () -> call(Nothing.at(), in, out, ReduceOp.SUM, 0)));
    }
}
