package org.mscclj.conformance.rank.refusal;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.mscclj.api.Communicator;
import org.mscclj.api.Window;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.element.TypedBuffer;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/** Bad arguments of methods that make a call and execute it. All ranks make the calls in one order. */
final class BadShortForms {
    private static final long PART = 64;

    private BadShortForms() {}

    /** A method for a collective. It ignores the arguments that its collective does not have. */
    @FunctionalInterface
    private interface ShortForm {
        Work execute(DeviceBuffer input, DeviceBuffer output, DataType type, ReduceOp op);
    }

    private static Map<Collective, ShortForm> forms(Communicator communicator) {
        Map<Collective, ShortForm> forms = new EnumMap<>(Collective.class);
        forms.put(Collective.ALLREDUCE, communicator::allReduce);
        forms.put(Collective.REDUCESCATTER, communicator::reduceScatter);
        forms.put(Collective.ALLGATHER, (input, output, type, _) -> communicator.allGather(input, output, type));
        forms.put(Collective.ALLTOALL, (input, output, type, _) -> communicator.allToAll(input, output, type));
        forms.put(Collective.BROADCAST, (input, output, type, _) -> communicator.broadcast(input, output, type, 0));
        forms.put(Collective.REDUCE, (input, output, type, op) -> communicator.reduce(input, output, type, op, 0));
        forms.put(Collective.SCATTER, (input, output, type, _) -> communicator.scatter(input, output, type, 0));
        forms.put(Collective.GATHER, (input, output, type, _) -> communicator.gather(input, output, type, 0));
        return forms;
    }

    /**
     * Returns calls of collectives.
     *
     * @param buffer large enough for all parts of all ranks
     */
    static List<BadCall> ofCollectives(Communicator communicator, DeviceBuffer buffer, DataType type) {
        List<BadCall> calls = new ArrayList<>();
        forms(communicator).forEach((collective, form) -> {
            DeviceBuffer input = buffer.slice(0, PART * collective.inputSlices(communicator.size()));
            DeviceBuffer output = buffer.slice(0, PART * collective.outputSlices(communicator.size()));
            DeviceBuffer closed = communicator.device().allocate(input.byteSize());
            closed.close();
            String name = collective.label();
            calls.add(BadCall.of(
                    name + " at once of a closed buffer",
                    BadCall.executing(() -> form.execute(closed, output, type, ReduceOp.SUM)),
                    "closed"));
            calls.add(withNull("input", name, () -> form.execute(Nothing.at(), output, type, ReduceOp.SUM)));
            calls.add(withNull("output", name, () -> form.execute(input, Nothing.at(), type, ReduceOp.SUM)));
            calls.add(withNull("type", name, () -> form.execute(input, output, Nothing.at(), ReduceOp.SUM)));
            if (collective.reduces()) {
                calls.add(withNull("op", name, () -> form.execute(input, output, type, Nothing.at())));
            }
        });
        calls.addAll(ofTypedCollectives(communicator, buffer, type));
        return calls;
    }

    /** A method for a collective on typed buffers. It ignores the arguments that its collective does not have. */
    @FunctionalInterface
    private interface TypedForm {
        Work execute(TypedBuffer input, TypedBuffer output, ReduceOp op);
    }

    private static Map<Collective, TypedForm> typedForms(Communicator communicator) {
        Map<Collective, TypedForm> forms = new EnumMap<>(Collective.class);
        forms.put(Collective.ALLREDUCE, communicator::allReduce);
        forms.put(Collective.REDUCESCATTER, communicator::reduceScatter);
        forms.put(Collective.ALLGATHER, (input, output, _) -> communicator.allGather(input, output));
        forms.put(Collective.ALLTOALL, (input, output, _) -> communicator.allToAll(input, output));
        forms.put(Collective.BROADCAST, (input, output, _) -> communicator.broadcast(input, output, 0));
        forms.put(Collective.REDUCE, (input, output, op) -> communicator.reduce(input, output, op, 0));
        forms.put(Collective.SCATTER, (input, output, _) -> communicator.scatter(input, output, 0));
        forms.put(Collective.GATHER, (input, output, _) -> communicator.gather(input, output, 0));
        return forms;
    }

    /** Returns calls of collectives on typed buffers. */
    private static List<BadCall> ofTypedCollectives(Communicator communicator, DeviceBuffer buffer, DataType type) {
        List<BadCall> calls = new ArrayList<>();
        DataType other = type == DataType.INT8 ? DataType.UINT8 : DataType.INT8;
        typedForms(communicator).forEach((collective, form) -> {
            DeviceBuffer in = buffer.slice(0, PART * collective.inputSlices(communicator.size()));
            DeviceBuffer out = buffer.slice(0, PART * collective.outputSlices(communicator.size()));
            TypedBuffer input = TypedBuffer.of(in, type);
            TypedBuffer output = TypedBuffer.of(out, type);
            String name = collective.label() + " of elements";
            calls.add(BadCall.of(
                    name + " into elements of " + other,
                    BadCall.executing(() -> form.execute(input, TypedBuffer.of(out, other), ReduceOp.SUM)),
                    "output",
                    other,
                    type));
            calls.add(withNull("input", name, () -> form.execute(Nothing.at(), output, ReduceOp.SUM)));
            calls.add(withNull("output", name, () -> form.execute(input, Nothing.at(), ReduceOp.SUM)));
            if (collective.reduces()) {
                calls.add(withNull("op", name, () -> form.execute(input, output, Nothing.at())));
            }
        });
        TypedBuffer closed = TypedBuffer.allocate(communicator.device(), type, 1);
        closed.close();
        calls.add(BadCall.of(
                "allreduce of a closed buffer of elements",
                BadCall.executing(() -> communicator.allReduce(closed)),
                "closed"));
        calls.add(BadCall.of(
                "allreduce with an operation of a closed buffer of elements",
                BadCall.executing(() -> communicator.allReduce(closed, ReduceOp.SUM)),
                "closed"));
        calls.add(BadCall.of(
                "broadcast of a closed buffer of elements",
                BadCall.executing(() -> communicator.broadcast(closed, 0)),
                "closed"));
        calls.add(withNull("buffer", "allreduce", () -> communicator.allReduce(Nothing.at())));
        calls.add(withNull("buffer", "allreduce", () -> communicator.allReduce(Nothing.at(), ReduceOp.SUM)));
        calls.add(withNull("op", "allreduce", () -> communicator.allReduce(closed, Nothing.at())));
        calls.add(withNull("buffer", "broadcast", () -> communicator.broadcast(Nothing.at(), 0)));
        return calls;
    }

    private static BadCall withNull(String argument, String name, Runnable call) {
        return BadCall.withNull(argument, name + " at once", call);
    }

    /** Returns sends and receives. */
    static List<BadCall> ofMessages(Communicator communicator, DeviceBuffer buffer) {
        String allowed = "0 to " + (communicator.size() - 1);
        return List.of(
                BadCall.of(
                        "send at once to rank -1",
                        BadCall.executing(() -> communicator.send(buffer.slice(0, PART), -1)),
                        -1,
                        allowed),
                BadCall.of(
                        "receive at once from rank -1",
                        BadCall.executing(() -> communicator.receive(buffer.slice(0, PART), -1)),
                        -1,
                        allowed),
                BadCall.of(
                        "sending elements to rank -1",
                        BadCall.executing(() -> communicator.send(bytesOf(buffer), -1)),
                        -1,
                        allowed),
                BadCall.of(
                        "receiving elements from rank -1",
                        BadCall.executing(() -> communicator.receive(bytesOf(buffer), -1)),
                        -1,
                        allowed),
                withNull("buffer", "send", () -> communicator.send(Nothing.<TypedBuffer>at(), 0)),
                withNull("buffer", "receive", () -> communicator.receive(Nothing.<TypedBuffer>at(), 0)));
    }

    private static TypedBuffer bytesOf(DeviceBuffer buffer) {
        return TypedBuffer.of(buffer.slice(0, PART), DataType.INT8);
    }

    /** Returns calls of a window. */
    static List<BadCall> ofWindow(Communicator communicator, Window window) {
        String allowed = "0 to " + (communicator.size() - 1);
        return List.of(
                BadCall.of("a signal at once to rank -1", BadCall.executing(() -> window.signal(-1)), -1, allowed),
                BadCall.of("a wait at once for rank -1", BadCall.executing(() -> window.waitSignal(-1)), -1, allowed),
                withNull("source", "put", () -> window.put(Nothing.at(), 0, 0)),
                withNull("target", "get", () -> window.get(0, 0, Nothing.at())));
    }
}
