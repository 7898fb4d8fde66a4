package org.mscclj.interposer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.TransferCall;
import org.mscclj.api.Work;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Event;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/** One communicator of the program. The library in C lets in one thread at a time, but for aborts. */
final class RankCalls {
    private static final int WORDS = 5;

    private final Communicator communicator;
    private final Device device;
    private final AdoptedRanges memory;
    private final ChosenAlgorithms chosen;
    private final Map<Integer, DeviceBuffer> windows = new LinkedHashMap<>();
    private int lastWindow;
    private final StreamCopies copies;
    private final SentCopies sent;
    private @Nullable Event marker;

    RankCalls(Communicator communicator) {
        this.communicator = communicator;
        this.device = communicator.device();
        this.memory = new AdoptedRanges(device);
        this.chosen = new ChosenAlgorithms(communicator);
        this.copies = new StreamCopies(device);
        this.sent = new SentCopies(device, copies);
    }

    Communicator communicator() {
        return communicator;
    }

    /** Whether another communicator of this process is one of the same ranks. */
    boolean isPeer(RankCalls other) {
        return other.communicator.name().equals(communicator.name())
                && other.communicator.rank() != communicator.rank();
    }

    /** What a collective of NCCL has. */
    record Arguments(long send, long receive, long count, int type, int op, int root, long factor, long stream) {}

    /** Launches a collective on a stream of the program. */
    void collective(int number, Arguments given) {
        DataType type = NcclTypes.type(given.type());
        ReduceOp op = NcclTypes.reduction(given.op(), type, given.factor(), memory);
        long bytes = given.count() * type.byteSize();
        try (Stream stream = device.adoptStream(given.stream())) {
            switch (number) {
                case 0 ->
                    launch(
                            CollectiveCall.allReduce(at(given.send(), bytes), at(given.receive(), bytes), type)
                                    .op(op),
                            stream);
                case 1 -> broadcast(given, type, bytes, stream);
                case 2 -> reduce(given, type, bytes, op, stream);
                case 3 ->
                    launch(
                            CollectiveCall.allGather(at(given.send(), bytes), all(given.receive(), bytes), type),
                            stream);
                case 4 ->
                    launch(
                            CollectiveCall.reduceScatter(all(given.send(), bytes), at(given.receive(), bytes), type)
                                    .op(op),
                            stream);
                case 5 ->
                    launch(
                            CollectiveCall.allToAll(all(given.send(), bytes), all(given.receive(), bytes), type),
                            stream);
                case 6 -> gather(given, type, bytes, stream);
                case 7 -> scatter(given, type, bytes, stream);
                default ->
                    throw new UnsupportedException(
                            "there is no collective " + number + "; use a library and jars of one version of mscclj");
            }
        }
    }

    private DeviceBuffer at(long address, long bytes) {
        return memory.buffer(address, bytes);
    }

    private DeviceBuffer all(long address, long bytes) {
        return memory.buffer(address, Math.multiplyExact(bytes, communicator.size()));
    }

    private void launch(CollectiveCall call, Stream stream) {
        Work work = communicator.execute(call, stream);
        chosen.launched(call.collective(), call.input().byteSize(), work.algorithm());
    }

    /** In place on all ranks, though a root may have two buffers while others have one. */
    private void broadcast(Arguments given, DataType type, long bytes, Stream stream) {
        DeviceBuffer buffer = at(given.receive(), bytes);
        if (communicator.rank() == given.root() && given.send() != given.receive()) {
            copies.copy(at(given.send(), bytes), buffer, given.stream());
        }
        launch(CollectiveCall.broadcast(buffer, buffer, type, given.root()), stream);
    }

    /** In place on all ranks, though only the root needs a buffer for the result. */
    private void reduce(Arguments given, DataType type, long bytes, ReduceOp op, Stream stream) {
        DeviceBuffer buffer = at(given.send(), bytes);
        if (communicator.rank() == given.root() && given.send() != given.receive()) {
            DeviceBuffer output = at(given.receive(), bytes);
            copies.copy(buffer, output, given.stream());
            buffer = output;
        }
        launch(CollectiveCall.reduce(buffer, buffer, type, given.root()).op(op), stream);
    }

    /** As messages: only the root needs an output. */
    private void gather(Arguments given, DataType type, long bytes, Stream stream) {
        boolean root = communicator.rank() == given.root();
        List<DeviceBuffer> outputs = root ? parts(given.receive(), bytes) : List.of();
        DeviceBuffer input = root && given.send() == outputs.get(given.root()).address()
                ? outputs.get(given.root())
                : at(given.send(), bytes);
        launch(communicator.variable().gather(input, outputs, given.root()).type(type), stream);
    }

    /** As messages: only the root needs an input. */
    private void scatter(Arguments given, DataType type, long bytes, Stream stream) {
        boolean root = communicator.rank() == given.root();
        List<DeviceBuffer> inputs = root ? parts(given.send(), bytes) : List.of();
        launch(
                communicator
                        .variable()
                        .scatter(inputs, at(given.receive(), bytes), given.root())
                        .type(type),
                stream);
    }

    private void launch(TransferCall call, Stream stream) {
        Work _ = communicator.execute(call, stream);
    }

    private List<DeviceBuffer> parts(long address, long bytes) {
        DeviceBuffer whole = all(address, bytes);
        List<DeviceBuffer> parts = new ArrayList<>();
        for (int rank = 0; rank < communicator.size(); rank++) {
            parts.add(whole.slice(rank * bytes, bytes));
        }
        return parts;
    }

    /**
     * Launches sends and receives as one batch. It runs on the stream of the first one, before and after what is on the
     * streams of the others.
     *
     * @param records for each: whether it is sent, its address, its bytes, its peer and its stream
     */
    void messages(long[] records) {
        List<TransferCall.Message> batch = new ArrayList<>();
        Map<Long, Stream> streams = new LinkedHashMap<>();
        try {
            for (int at = 0; at < records.length; at += WORDS) {
                DeviceBuffer buffer = memory.buffer(records[at + 1], records[at + 2]);
                batch.add(new TransferCall.Message(records[at] != 0, buffer, (int) records[at + 3]));
                streams.computeIfAbsent(records[at + 4], device::adoptStream);
            }
            List<Stream> used = List.copyOf(streams.values());
            List<Stream> others = used.subList(1, used.size());
            others.forEach(other -> order(other, used.getFirst()));
            launch(batch, used.getFirst(), records[WORDS - 1]);
            others.forEach(other -> order(used.getFirst(), other));
        } finally {
            streams.values().forEach(Stream::close);
        }
    }

    private void launch(List<TransferCall.Message> batch, Stream stream, long handle) {
        List<TransferCall.Message> apart = sent.apart(batch, stream, handle);
        try {
            launch(new TransferCall(apart), stream);
        } finally {
            if (!apart.equals(batch)) {
                sent.used(stream);
            }
        }
    }

    private void order(Stream earlier, Stream later) {
        Event event = marker;
        if (event == null) {
            event = device.createEvent();
            marker = event;
        }
        earlier.record(event);
        later.await(event);
    }

    /** Registers memory of the program together with the other ranks. Returns a number for {@link #deregister}. */
    int register(long address, long bytes) {
        DeviceBuffer buffer = device.adoptMemory(address, bytes);
        try {
            communicator.register(buffer);
        } catch (RuntimeException | Error e) {
            buffer.close();
            throw e;
        }
        lastWindow++;
        windows.put(lastWindow, buffer);
        return lastWindow;
    }

    /** Undoes {@link #register}. */
    void deregister(int window) {
        DeviceBuffer buffer = windows.remove(window);
        if (buffer == null) {
            throw InvalidArgumentException.of("window", window, "one that is registered");
        }
        buffer.close();
    }

    /** Closes the communicator and what it has, whatever fails. */
    void close() {
        List<Runnable> steps = new ArrayList<>(List.of(communicator::close, copies::close, sent::close, memory::close));
        if (marker != null) {
            steps.add(marker::close);
        }
        windows.values().forEach(window -> steps.add(window::close));
        RuntimeException first = null;
        for (Runnable step : steps) {
            try {
                step.run();
            } catch (RuntimeException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
