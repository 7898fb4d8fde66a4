package org.mscclj.conformance.rank.refusal;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.mscclj.api.Communicator;
import org.mscclj.api.Window;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/** Bad arguments of methods that make a call and execute it. All ranks make the same calls. */
public final class BadShortForms {
    private static final long PART = 64;

    private BadShortForms() {}

    /** A method for a collective. What it does not take is left out. */
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
     * Calls of collectives.
     *
     * @param buffer large enough for all parts of all ranks
     */
    public static List<BadCall> ofCollectives(Communicator communicator, DeviceBuffer buffer, DataType type) {
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
        return calls;
    }

    private static BadCall withNull(String argument, String name, Runnable call) {
        return BadCall.withNull(argument, name + " at once", call);
    }

    /** Calls of messages. */
    public static List<BadCall> ofMessages(Communicator communicator, DeviceBuffer buffer) {
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
                        allowed));
    }

    /** Calls of a window. */
    public static List<BadCall> ofWindow(Communicator communicator, Window window) {
        String allowed = "0 to " + (communicator.size() - 1);
        return List.of(
                BadCall.of("a signal at once to rank -1", BadCall.executing(() -> window.signal(-1)), -1, allowed),
                BadCall.of("a wait at once for rank -1", BadCall.executing(() -> window.waitSignal(-1)), -1, allowed),
                withNull("source", "put", () -> window.put(Nothing.at(), 0, 0)),
                withNull("target", "get", () -> window.get(0, 0, Nothing.at())));
    }
}
