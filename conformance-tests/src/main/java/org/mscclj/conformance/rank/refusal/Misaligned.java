package org.mscclj.conformance.rank.refusal;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.ReduceScatterCall;
import org.mscclj.api.TransferCall;
import org.mscclj.api.VariableCalls;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;

/**
 * Calls on buffers that do not begin at a multiple of the size of an element. All ranks make the calls in one order.
 * There are none if an element has one byte.
 */
final class Misaligned {
    /** Bytes of a part that is valid for every collective. */
    private static final long PART = 64;

    private final Communicator communicator;
    private final DeviceBuffer memory;
    private final DataType type;
    private final List<BadCall> calls = new ArrayList<>();

    private Misaligned(Communicator communicator, DeviceBuffer memory, DataType type) {
        this.communicator = communicator;
        this.memory = memory;
        this.type = type;
    }

    /** Returns the size in bytes that the memory of the calls needs. */
    static long bytes(int ranks) {
        return PART * 2 * (ranks + 1);
    }

    /** Returns collectives with a misaligned input, a misaligned output, or both in place. */
    static List<BadCall> collectives(
            Communicator communicator, DeviceBuffer memory, DataType type, List<Collective> collectives) {
        Misaligned misaligned = new Misaligned(communicator, memory, type);
        for (Collective collective : collectives) {
            misaligned.addCollective(collective);
        }
        return misaligned.all();
    }

    /** Returns plans that are called directly. */
    static List<BadCall> plans(Communicator communicator, DeviceBuffer memory, DataType type) {
        Misaligned misaligned = new Misaligned(communicator, memory, type);
        misaligned.addPlan();
        return misaligned.all();
    }

    /** Returns variable-size reductions. */
    static List<BadCall> reductions(Communicator communicator, DeviceBuffer memory, DataType type) {
        Misaligned misaligned = new Misaligned(communicator, memory, type);
        misaligned.addReductions();
        return misaligned.all();
    }

    /** Returns sends and receives that name the type of their elements, and variable-size collectives. */
    static List<BadCall> messages(Communicator communicator, DeviceBuffer memory, DataType type) {
        Misaligned misaligned = new Misaligned(communicator, memory, type);
        misaligned.addMessages();
        return misaligned.all();
    }

    private List<BadCall> all() {
        return type.byteSize() > 1 ? calls : List.of();
    }

    /** Returns what a message must contain: where the buffer begins, and the number that it must be a multiple of. */
    private Object[] words(String what, DeviceBuffer given) {
        return new Object[] {what, "0x" + Long.toHexString(given.address()), "multiples of " + type.byteSize()};
    }

    private DeviceBuffer aligned(int index, long bytes) {
        return memory.slice(index * PART, bytes);
    }

    private DeviceBuffer shifted(int index, long bytes) {
        return memory.slice(index * PART + type.byteSize() / 2, bytes);
    }

    private void addCollective(Collective collective) {
        int size = communicator.size();
        long inputBytes = PART * collective.inputSlices(size);
        long outputBytes = PART * collective.outputSlices(size);
        ReduceOp op = collective.reduces() ? ReduceOp.SUM : ReduceOp.NOP;
        int second = size + 1;
        DeviceBuffer input = shifted(0, inputBytes);
        DeviceBuffer output = shifted(second, outputBytes);
        add(collective + " of", "input", input, () -> call(collective, input, aligned(second, outputBytes), op));
        add(collective + " into", "output", output, () -> call(collective, aligned(0, inputBytes), output, op));
        if (inputBytes == outputBytes) {
            add(collective + " in place of", "input", input, () -> call(collective, input, input, op));
        }
    }

    private CollectiveCall call(Collective collective, DeviceBuffer input, DeviceBuffer output, ReduceOp op) {
        return new CollectiveCall(collective, input, output, type, op, 0, Optional.empty());
    }

    private void add(String what, String argument, DeviceBuffer given, Supplier<CollectiveCall> call) {
        Object[] words = words(argument, given);
        calls.add(BadCall.of(
                "preparing " + what + " misaligned memory",
                BadCall.preparing(() -> communicator.prepare(call.get())),
                words));
        calls.add(BadCall.of(
                "executing " + what + " misaligned memory",
                BadCall.executing(() -> communicator.execute(call.get())),
                words));
    }

    private void addPlan() {
        ShippedProgram program = ShippedProgram.PORT; // ranks need not reach each other's memory
        Supplier<PlanCall> right = () -> PlanCall.of(
                program.plan(ProgramSpec.of(Collective.ALLREDUCE, communicator.size())),
                aligned(0, PART),
                aligned(1, PART),
                type);
        DeviceBuffer input = shifted(0, PART);
        DeviceBuffer output = shifted(1, PART);
        calls.add(BadCall.of(
                "preparing a plan that reads misaligned memory",
                BadCall.preparing(
                        () -> communicator.prepare(PlanCall.of(right.get().plan(), input, aligned(2, PART), type))),
                words("input", input)));
        calls.add(BadCall.of(
                "preparing a plan that writes misaligned memory",
                BadCall.preparing(
                        () -> communicator.prepare(PlanCall.of(right.get().plan(), aligned(0, PART), output, type))),
                words("output", output)));
        calls.add(BadCall.of(
                "executing a plan that reads misaligned memory",
                BadCall.executing(
                        () -> communicator.execute(PlanCall.of(right.get().plan(), input, aligned(2, PART), type))),
                words("input", input)));
    }

    private void addReductions() {
        int ranks = communicator.size();
        List<DeviceBuffer> right = new ArrayList<>();
        for (int i = 0; i < ranks; i++) {
            right.add(aligned(i, PART));
        }
        List<DeviceBuffer> wrong = new ArrayList<>(right);
        wrong.set(ranks - 1, shifted(ranks - 1, PART));
        DeviceBuffer output = shifted(ranks, PART);
        reduction(
                "a reduceScatter into misaligned memory",
                () -> new ReduceScatterCall(right, output, type, ReduceOp.SUM),
                words("output", output));
        reduction(
                "a reduceScatter of a misaligned part",
                () -> new ReduceScatterCall(wrong, aligned(ranks + 1, PART), type, ReduceOp.SUM),
                words("input for rank " + (ranks - 1), wrong.getLast()));
    }

    private void reduction(String what, Supplier<ReduceScatterCall> call, Object... words) {
        calls.add(BadCall.of("preparing " + what, BadCall.preparing(() -> communicator.prepare(call.get())), words));
        calls.add(BadCall.of("executing " + what, BadCall.executing(() -> communicator.execute(call.get())), words));
    }

    private void addMessages() {
        int ranks = communicator.size();
        int next = (communicator.rank() + 1) % ranks;
        int previous = (communicator.rank() + ranks - 1) % ranks;
        DeviceBuffer sent = shifted(0, PART);
        DeviceBuffer received = shifted(2, PART);
        message(
                "an exchange whose sender's elements are misaligned",
                () -> TransferCall.batch()
                        .send(sent, next)
                        .receive(aligned(2, PART), previous)
                        .type(type),
                words("sends", sent));
        message(
                "an exchange whose receiver's elements are misaligned",
                () -> TransferCall.batch()
                        .send(aligned(0, PART), next)
                        .receive(received, previous)
                        .type(type),
                words("receives", received));
        VariableCalls variable = communicator.variable();
        List<Long> counts = Collections.nCopies(ranks, PART / type.byteSize());
        DeviceBuffer parts = shifted(0, PART * ranks);
        DeviceBuffer others = aligned(ranks + 1, PART * ranks);
        message(
                "an allToAll of misaligned parts",
                () -> variable.allToAll(parts, counts, others, counts, type),
                "sends",
                "multiples of " + type.byteSize());
        message(
                "an allGather into misaligned parts",
                () -> variable.allGather(aligned(ranks + 1, PART), parts, counts, type),
                "receives",
                "multiples of " + type.byteSize());
    }

    private void message(String what, Supplier<TransferCall> call, Object... words) {
        calls.add(BadCall.of("preparing " + what, BadCall.preparing(() -> communicator.prepare(call.get())), words));
        calls.add(BadCall.of("executing " + what, BadCall.executing(() -> communicator.execute(call.get())), words));
    }
}
