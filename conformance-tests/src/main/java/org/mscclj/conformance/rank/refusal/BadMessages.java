package org.mscclj.conformance.rank.refusal;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import org.mscclj.api.Communicator;
import org.mscclj.api.ReduceScatterCall;
import org.mscclj.api.TransferCall;
import org.mscclj.api.VariableCalls;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/** Sends, receives and variable-size collectives with bad arguments. All ranks make the calls in one order. */
final class BadMessages {
    private static final long PART = 64;

    private final Communicator communicator;
    private final DeviceBuffer buffer;
    private final List<BadCall> calls = new ArrayList<>();

    private BadMessages(Communicator communicator, DeviceBuffer buffer) {
        this.communicator = communicator;
        this.buffer = buffer;
    }

    /** Returns the size in bytes that the buffer of the calls needs. */
    static long bytes(int ranks) {
        return PART * 2 * (ranks + 1);
    }

    /** Returns bad sends and receives. */
    static List<BadCall> ofMessages(Communicator communicator, DeviceBuffer buffer) {
        BadMessages bad = new BadMessages(communicator, buffer);
        bad.addPeers();
        bad.addOwnMessages();
        bad.addOverlaps();
        bad.addVariable();
        bad.addNulls();
        return bad.calls;
    }

    /** Returns bad variable-size reductions. */
    static List<BadCall> ofReductions(Communicator communicator, DeviceBuffer buffer, DataType type) {
        BadMessages bad = new BadMessages(communicator, buffer);
        bad.addReductions(type);
        return bad.calls;
    }

    private DeviceBuffer part(int index) {
        return buffer.slice(index * PART, PART);
    }

    private List<DeviceBuffer> parts(int first, int number) {
        List<DeviceBuffer> parts = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            parts.add(part(first + i));
        }
        return parts;
    }

    private void add(String what, Supplier<TransferCall> call, Object... words) {
        calls.add(BadCall.of("preparing " + what, BadCall.preparing(() -> communicator.prepare(call.get())), words));
        calls.add(BadCall.of("executing " + what, BadCall.executing(() -> communicator.execute(call.get())), words));
    }

    private void addPeers() {
        String allowed = "0 to " + (communicator.size() - 1);
        for (int peer : new int[] {-1, communicator.size()}) {
            add("a message to rank " + peer, () -> TransferCall.batch().send(part(0), peer), "send", peer, allowed);
            add(
                    "a message from rank " + peer,
                    () -> TransferCall.batch().receive(part(0), peer),
                    "receive",
                    peer,
                    allowed);
        }
        int next = (communicator.rank() + 1) % communicator.size();
        if (communicator.size() > 1) {
            add("a closed message", () -> TransferCall.batch().send(closed(), next), "closed");
            add("a message into a closed buffer", () -> TransferCall.batch().receive(closed(), next), "closed");
            add(
                    "a message of memory of another backend",
                    () -> TransferCall.batch().send(new ForeignBuffer(part(0)), next),
                    "backend");
        }
    }

    private DeviceBuffer closed() {
        DeviceBuffer closed = communicator.device().allocate(PART);
        closed.close();
        return closed;
    }

    private void addOwnMessages() {
        int rank = communicator.rank();
        add("a message to oneself without a receive", () -> TransferCall.batch().send(part(0), rank), "1", "0");
        add("a message from oneself without a send", () -> TransferCall.batch().receive(part(0), rank), "0", "1");
        add(
                "a message to oneself that is received as a shorter one",
                () -> TransferCall.batch().send(part(0), rank).receive(part(1).slice(0, PART - 1), rank),
                PART,
                PART - 1,
                "equal");
        add(
                "a message to oneself that overlaps where it goes",
                () -> TransferCall.batch().send(part(0), rank).receive(buffer.slice(1, PART), rank),
                "overlap",
                "apart");
    }

    private void addOverlaps() {
        int size = communicator.size();
        int next = (communicator.rank() + 1) % size;
        int previous = (communicator.rank() + size - 1) % size;
        DeviceBuffer moved = buffer.slice(PART - 1, PART);
        if (size > 1) {
            add(
                    "an exchange in place",
                    () -> TransferCall.batch().send(part(0), next).receive(part(0), previous),
                    "overlap",
                    "apart");
            add(
                    "a message into the last byte of one that is sent",
                    () -> TransferCall.batch().receive(moved, previous).send(part(0), next),
                    "overlap",
                    "send " + PART + " bytes to rank " + next,
                    "receive " + PART + " bytes from rank " + previous);
            add(
                    "two messages into the same byte",
                    () -> TransferCall.batch().receive(part(0), previous).receive(moved, next),
                    "overlap",
                    "apart");
            add(
                    "a message into what a rank sends to itself",
                    () -> TransferCall.batch()
                            .send(part(0), communicator.rank())
                            .receive(part(2), communicator.rank())
                            .receive(moved, previous),
                    "overlap",
                    "itself");
            List<Long> counts = Collections.nCopies(size, PART);
            add(
                    "an allToAll in place",
                    () -> communicator.variable().allToAll(buffer, counts, buffer, counts, DataType.INT8),
                    "overlap",
                    "apart");
        }
    }

    private void addVariable() {
        VariableCalls variable = communicator.variable();
        int ranks = communicator.size();
        List<Long> right = Collections.nCopies(ranks, PART);
        List<DeviceBuffer> tooMany = parts(0, ranks + 1);
        variable(
                "an allGather into too many buffers", () -> variable.allGather(part(0), tooMany), "outputs", ranks + 1);
        variable(
                "an allToAll of too many buffers",
                () -> variable.allToAll(tooMany, parts(0, ranks)),
                "inputs",
                ranks + 1);
        variable(
                "an allToAll into too many buffers",
                () -> variable.allToAll(parts(0, ranks), tooMany),
                "outputs",
                ranks + 1);
        for (int root : new int[] {-1, ranks}) {
            variable("a scatter of root " + root, () -> variable.scatter(List.of(), part(0), root), "root", root);
            variable("a gather of root " + root, () -> variable.gather(part(0), List.of(), root), "root", root);
        }
        variable(
                "a scatter of too many buffers",
                () -> variable.scatter(tooMany, part(0), communicator.rank()),
                "inputs",
                ranks + 1);
        variable(
                "a gather into too many buffers",
                () -> variable.gather(part(0), tooMany, communicator.rank()),
                "outputs",
                ranks + 1);
        for (long count : new long[] {-1, buffer.byteSize() + 1, Long.MAX_VALUE}) {
            List<Long> bad = new ArrayList<>(right);
            bad.set(ranks - 1, count);
            variable(
                    "an allToAll with count " + count,
                    () -> variable.allToAll(buffer, bad, buffer, right, DataType.INT8),
                    "input",
                    count);
            variable(
                    "an allToAll with count " + count + " of an output",
                    () -> variable.allToAll(buffer, right, buffer, bad, DataType.INT8),
                    "output",
                    count);
        }
        addCounts(right);
        variable(
                "an allToAll with too many counts",
                () -> variable.allToAll(buffer, Collections.nCopies(ranks + 1, 1L), buffer, right, DataType.INT8),
                "input counts",
                ranks + 1);
    }

    /** Adds calls with counts of consecutive parts in one buffer, on the root if there is one. */
    private void addCounts(List<Long> right) {
        VariableCalls variable = communicator.variable();
        int ranks = communicator.size();
        int own = communicator.rank();
        DataType type = DataType.INT8;
        for (int root : new int[] {-1, ranks}) {
            variable(
                    "a scatter of one buffer of root " + root,
                    () -> variable.scatter(buffer, right, part(0), type, root),
                    "root",
                    root);
            variable(
                    "a gather into one buffer of root " + root,
                    () -> variable.gather(part(0), buffer, right, type, root),
                    "root",
                    root);
        }
        for (long count : new long[] {-1, buffer.byteSize() + 1, Long.MAX_VALUE}) {
            List<Long> bad = new ArrayList<>(right);
            bad.set(ranks - 1, count);
            addCounts(" with count " + count, bad, "put", count);
        }
        addCounts(" with too many counts", Collections.nCopies(ranks + 1, 1L), "counts", ranks + 1);
        DeviceBuffer shorter = part(0).slice(0, PART - 1);
        variable(
                "an allGather of less than its count",
                () -> variable.allGather(shorter, buffer, right, type),
                "input",
                PART - 1,
                PART);
        variable(
                "a scatter into less than the root's count",
                () -> variable.scatter(buffer, right, shorter, type, own),
                "output",
                PART - 1,
                PART);
        variable(
                "a gather of less than the root's count",
                () -> variable.gather(shorter, buffer, right, type, own),
                "input",
                PART - 1,
                PART);
    }

    private void addCounts(String what, List<Long> counts, Object... words) {
        VariableCalls variable = communicator.variable();
        int own = communicator.rank();
        DataType type = DataType.INT8;
        variable("an allGather into one buffer" + what, () -> variable.allGather(part(0), buffer, counts, type), words);
        variable("a scatter of one buffer" + what, () -> variable.scatter(buffer, counts, part(0), type, own), words);
        variable("a gather into one buffer" + what, () -> variable.gather(part(0), buffer, counts, type, own), words);
    }

    private void variable(String what, Runnable call, Object... words) {
        calls.add(BadCall.of(what, call, words));
    }

    private void addNulls() {
        calls.add(BadCall.withNull(
                "call",
                "prepare",
                () -> communicator.prepare(Nothing.<TransferCall>at()).close()));
        calls.add(BadCall.withNull(
                "call",
                "execute",
                () -> communicator.execute(Nothing.<TransferCall>at()).join()));
        calls.add(BadCall.withNull(
                "buffer",
                "send",
                () -> communicator.send(Nothing.<DeviceBuffer>at(), 0).join()));
        calls.add(BadCall.withNull(
                "buffer",
                "receive",
                () -> communicator.receive(Nothing.<DeviceBuffer>at(), 0).join()));
        calls.add(BadCall.withNull("messages", "TransferCall", () -> new TransferCall(Nothing.at())));
        calls.add(BadCall.withNull(
                "call",
                "execute on a stream",
                () -> communicator
                        .execute(Nothing.<TransferCall>at(), communicator.stream())
                        .join()));
        int own = communicator.rank();
        TransferCall call = TransferCall.batch().send(part(0), own).receive(part(1), own);
        BadStreams.addStreams(
                calls,
                communicator.device(),
                "executing messages",
                on -> communicator.execute(call, on).join());
    }

    private void addReductions(DataType type) {
        VariableCalls variable = communicator.variable();
        int ranks = communicator.size();
        List<DeviceBuffer> inputs = parts(0, ranks);
        DeviceBuffer output = part(ranks);
        variable(
                "a reduceScatter of too many buffers",
                () -> variable.reduceScatter(parts(0, ranks + 1), part(ranks + 1), type, ReduceOp.SUM),
                "inputs",
                ranks + 1);
        variable(
                "a reduceScatter into a buffer of another size",
                () -> variable.reduceScatter(inputs, output.slice(0, PART / 2), type, ReduceOp.SUM),
                "output",
                PART / 2,
                PART);
        variable(
                "a reduceScatter into its own input",
                () -> variable.reduceScatter(inputs, part(0), type, ReduceOp.SUM),
                "overlap");
        variable(
                "a reduceScatter with a negative count",
                () -> variable.reduceScatter(buffer, Collections.nCopies(ranks, -1L), output, type, ReduceOp.SUM),
                "input",
                -1);
        reduction(
                "a reduceScatter with operation nop",
                () -> variable.reduceScatter(inputs, output, type, ReduceOp.NOP),
                "operation",
                "nop");
        List<DeviceBuffer> broken = new ArrayList<>(inputs);
        broken.set(ranks - 1, inputs.getLast().slice(0, PART - 1));
        if (type.byteSize() > 1 && ranks > 1) {
            reduction(
                    "a reduceScatter whose last part is no whole number of elements",
                    () -> new ReduceScatterCall(
                            broken,
                            output.slice(0, broken.get(communicator.rank()).byteSize()),
                            type,
                            ReduceOp.SUM),
                    PART - 1,
                    "multiple");
        }
        if (ranks > 1) {
            reduction(
                    "a reduceScatter into another rank's part",
                    () -> new ReduceScatterCall(
                            inputs, inputs.get((communicator.rank() + 1) % ranks), type, ReduceOp.SUM),
                    "overlap",
                    "own");
        }
        reduction(
                "a reduceScatter of too many parts",
                () -> new ReduceScatterCall(parts(0, ranks + 1), part(ranks + 1), type, ReduceOp.SUM),
                "inputs",
                ranks + 1);
        reduction(
                "a reduceScatter of too few parts",
                () -> new ReduceScatterCall(parts(0, ranks - 1), part(ranks), type, ReduceOp.SUM),
                "inputs",
                ranks - 1);
        calls.add(BadCall.withNull(
                "call",
                "prepare",
                () -> communicator.prepare(Nothing.<ReduceScatterCall>at()).close()));
        calls.add(BadCall.withNull(
                "call",
                "execute",
                () -> communicator.execute(Nothing.<ReduceScatterCall>at()).join()));
        calls.add(BadCall.withNull(
                "call",
                "execute on a stream",
                () -> communicator
                        .execute(Nothing.<ReduceScatterCall>at(), communicator.stream())
                        .join()));
        ReduceScatterCall call = new ReduceScatterCall(inputs, output, type, ReduceOp.SUM);
        BadStreams.addStreams(
                calls,
                communicator.device(),
                "executing a reduceScatter",
                on -> communicator.execute(call, on).join());
        calls.add(BadCall.withNull(
                "output", "ReduceScatterCall", () -> new ReduceScatterCall(inputs, Nothing.at(), type, ReduceOp.SUM)));
    }

    private void reduction(String what, Supplier<ReduceScatterCall> call, Object... words) {
        calls.add(BadCall.of("preparing " + what, BadCall.preparing(() -> communicator.prepare(call.get())), words));
        calls.add(BadCall.of("executing " + what, BadCall.executing(() -> communicator.execute(call.get())), words));
    }
}
