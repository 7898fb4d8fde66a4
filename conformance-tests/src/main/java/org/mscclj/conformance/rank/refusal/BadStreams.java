package org.mscclj.conformance.rank.refusal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.mscclj.api.BarrierCall;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Work;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Event;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;

/** Bad streams, events, graphs and timeouts. */
final class BadStreams {
    private static final long PART = 64;

    private final Device device;
    private final Stream stream;
    private final DeviceBuffer source;
    private final DeviceBuffer destination;
    private final Duration timeout;
    private final List<BadCall> calls = new ArrayList<>();

    private BadStreams(Communicator communicator, DeviceBuffer buffer) {
        this.device = communicator.device();
        this.stream = communicator.stream();
        this.source = buffer.slice(0, PART);
        this.destination = buffer.slice(PART, PART);
        this.timeout = communicator.timeout();
    }

    /** Returns calls of streams and events. */
    static List<BadCall> ofStreams(Communicator communicator, DeviceBuffer buffer) {
        BadStreams bad = new BadStreams(communicator, buffer);
        bad.addCopies();
        bad.addEvents();
        bad.calls.add(BadCall.withNull("timeout", "synchronize", () -> bad.stream.synchronize(Nothing.at())));
        return bad.calls;
    }

    /**
     * Returns launches and joins.
     *
     * @param call a call that can be executed
     * @param operation an operation that can be launched
     * @param ended work that has ended
     */
    static List<BadCall> ofLaunches(
            Communicator communicator, CollectiveCall call, PreparedOperation operation, Work ended) {
        List<BadCall> calls = new ArrayList<>();
        Device device = communicator.device();
        addStreams(calls, device, "launching", on -> {
            operation.launch(on);
            operation.join(communicator.timeout());
        });
        addStreams(calls, device, "awaiting", ended::await);
        addStreams(
                calls,
                device,
                "executing a collective",
                on -> communicator.execute(call, on).join());
        addStreams(
                calls,
                device,
                "executing a barrier",
                on -> communicator.execute(BarrierCall.STREAMS, on).join());
        calls.add(BadCall.withNull(
                "call",
                "execute of a barrier on a stream",
                () -> communicator
                        .execute(Nothing.<BarrierCall>at(), communicator.stream())
                        .join()));
        calls.add(BadCall.withNull("timeout", "run", () -> operation.run(Nothing.at())));
        calls.add(BadCall.withNull("timeout", "join", () -> operation.join(Nothing.at())));
        calls.add(BadCall.withNull("timeout", "join of a work", () -> ended.join(Nothing.at())));
        return calls;
    }

    /** Returns captures and replays. */
    static List<BadCall> ofGraphs(Communicator communicator, DeviceBuffer buffer) {
        BadStreams bad = new BadStreams(communicator, buffer);
        bad.addGraphs();
        return bad.calls;
    }

    private void addCopies() {
        calls.add(BadCall.withNull("source", "copy", () -> stream.copy(Nothing.at(), destination)));
        calls.add(BadCall.withNull("destination", "copy", () -> stream.copy(source, Nothing.at())));
        copy(stream, "to a shorter buffer", source, destination.slice(0, PART - 1), PART, PART - 1);
        copy(stream, "of memory of another backend", new ForeignBuffer(source), destination, "backend");
        copy(stream, "to memory of another backend", source, new ForeignBuffer(destination), "backend");
        DeviceBuffer closed = device.allocate(PART);
        closed.close();
        copy(stream, "of a closed buffer", closed, destination, "closed");
        copy(stream, "to a closed buffer", source, closed, "closed");
        copy(closedStream(device), "in a closed stream", source, destination, "stream is closed", "another");
    }

    private void copy(Stream on, String what, DeviceBuffer from, DeviceBuffer to, Object... words) {
        calls.add(BadCall.of(
                "a copy " + what,
                () -> {
                    on.copy(from, to);
                    on.synchronize(timeout);
                },
                words));
    }

    private static Stream closedStream(Device device) {
        Stream closed = device.createStream();
        closed.close();
        return closed;
    }

    private void addEvents() {
        Event event = device.createEvent(); // no thread waits for what it holds
        Event closed = device.createEvent();
        closed.close();
        Stream closedStream = closedStream(device);
        calls.add(BadCall.withNull("event", "record", () -> stream.record(Nothing.at())));
        calls.add(BadCall.withNull("event", "await", () -> stream.await(Nothing.at())));
        calls.add(BadCall.of("recording a closed event", () -> stream.record(closed), "event is closed", "another"));
        calls.add(BadCall.of("awaiting a closed event", () -> stream.await(closed), "event is closed", "another"));
        calls.add(BadCall.of("asking a closed event", closed::isReached, "event is closed", "another"));
        calls.add(BadCall.of(
                "recording another backend's event", () -> stream.record(new ForeignEvent()), "event", "backend"));
        calls.add(BadCall.of(
                "awaiting another backend's event", () -> stream.await(new ForeignEvent()), "event", "backend"));
        calls.add(BadCall.of(
                "recording in a closed stream", () -> closedStream.record(event), "stream is closed", "another"));
        calls.add(BadCall.of(
                "awaiting in a closed stream", () -> closedStream.await(event), "stream is closed", "another"));
    }

    /** An event that no backend knows. */
    private record ForeignEvent() implements Event {
        @Override
        public boolean isReached() {
            return true;
        }

        @Override
        public void close() {
            // there is nothing to free
        }
    }

    /** Adds calls that name a bad stream. */
    static void addStreams(List<BadCall> calls, Device device, String what, Consumer<Stream> call) {
        calls.add(BadCall.withNull("stream", what, () -> call.accept(Nothing.at())));
        Stream closed = closedStream(device);
        calls.add(BadCall.of(what + " on a closed stream", () -> call.accept(closed), "stream is closed", "another"));
        Stream foreign = new ForeignStream(device);
        calls.add(BadCall.of(what + " on another backend's stream", () -> call.accept(foreign), "stream", "backend"));
    }

    private void addGraphs() {
        calls.add(BadCall.withNull(
                "work", "capture", () -> stream.capture(Nothing.at()).close()));
        calls.add(BadCall.of(
                "a capture of a stream that is captured",
                () -> stream.capture(() -> stream.capture(() -> {}).close()).close(),
                "captured"));
        calls.add(BadCall.of(
                "a capture of a closed stream",
                () -> closedStream(device).capture(() -> {}).close(),
                "stream is closed",
                "another"));
        addStreams(calls, device, "a replay", on -> {
            try (Graph graph = copying()) {
                graph.launch(on);
            }
        });
        calls.add(BadCall.of(
                "a replay on a stream that is captured",
                () -> {
                    try (Graph graph = copying();
                            Stream captured = device.createStream()) {
                        captured.capture(() -> graph.launch(captured)).close();
                    }
                },
                "stream is being captured"));
        calls.add(BadCall.of(
                "closing a stream that is captured",
                () -> {
                    try (Stream captured = device.createStream()) {
                        captured.capture(captured::close).close();
                    }
                },
                "stream is being captured"));
        calls.add(BadCall.of(
                "a replay of a closed graph",
                () -> {
                    Graph graph = copying();
                    graph.close();
                    graph.launch(stream);
                    stream.synchronize(timeout);
                },
                "graph is closed",
                "another"));
    }

    private Graph copying() {
        return stream.capture(() -> stream.copy(source, destination));
    }
}
