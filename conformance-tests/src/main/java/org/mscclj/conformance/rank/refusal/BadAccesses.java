package org.mscclj.conformance.rank.refusal;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.mscclj.api.Communicator;
import org.mscclj.api.Window;
import org.mscclj.api.WindowCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.UnsupportedException;

/** Accesses to windows with bad arguments. All ranks make the calls in one order. */
final class BadAccesses {
    private final Window window;
    private final List<BadCall> calls = new ArrayList<>();

    private BadAccesses(Window window) {
        this.window = window;
    }

    /**
     * Returns the calls.
     *
     * @param window a window whose memory is as large as the buffer, on all ranks
     * @param buffer the source of puts and the target of gets
     */
    static List<BadCall> of(Communicator communicator, Window window, DeviceBuffer buffer) {
        BadAccesses bad = new BadAccesses(window);
        bad.addRanges(communicator, buffer);
        bad.addRanks(communicator, buffer);
        bad.addBuffers(communicator, buffer);
        bad.addNulls(communicator, buffer);
        return bad.calls;
    }

    private void add(String what, Supplier<WindowCall> call, Object... words) {
        calls.add(BadCall.of("preparing " + what, BadCall.preparing(() -> window.prepare(call.get())), words));
        calls.add(BadCall.of("executing " + what, BadCall.executing(() -> window.execute(call.get())), words));
    }

    private void addRanges(Communicator communicator, DeviceBuffer buffer) {
        int next = (communicator.rank() + 1) % communicator.size();
        long bytes = buffer.byteSize();
        for (long offset : new long[] {1, bytes, Long.MAX_VALUE}) {
            add("a put at " + offset, () -> WindowCall.put(buffer, next, offset), "put", offset, "0 to " + bytes);
            add("a get at " + offset, () -> WindowCall.get(next, offset, buffer), "get", offset, "0 to " + bytes);
        }
        calls.add(BadCall.of("a put at -1", () -> WindowCall.put(buffer, next, -1), "offset", -1, "0 or more"));
        calls.add(BadCall.of("a get at -1", () -> WindowCall.get(next, -1, buffer), "offset", -1, "0 or more"));
        add(
                "a put onto itself, moved",
                () -> WindowCall.put(window.memory().slice(0, bytes - 1), communicator.rank(), 1),
                "overlap",
                "apart");
        int mapped = mapped(communicator);
        add(
                "a put of the memory of a rank onto itself, moved",
                () -> WindowCall.put(window.mapRemote(mapped).slice(0, bytes - 1), mapped, 1),
                "overlap",
                "apart");
        add(
                "a get of the memory of a rank into itself, moved",
                () -> WindowCall.get(mapped, 1, window.mapRemote(mapped).slice(0, bytes - 1)),
                "overlap",
                "apart");
    }

    /** Returns the next rank whose memory this rank can map; this rank, if all others are on other nodes. */
    private int mapped(Communicator communicator) {
        for (int step = 1; step < communicator.size(); step++) {
            int rank = (communicator.rank() + step) % communicator.size();
            try {
                DeviceBuffer _ = window.mapRemote(rank);
                return rank;
            } catch (UnsupportedException _) {
                // it is on another node
            }
        }
        return communicator.rank();
    }

    private void addRanks(Communicator communicator, DeviceBuffer buffer) {
        int size = communicator.size();
        String allowed = "0 to " + (size - 1);
        for (int rank : new int[] {-1, size}) {
            add("a put to rank " + rank, () -> WindowCall.put(buffer, rank, 0), "rank", rank, allowed);
            add("a get from rank " + rank, () -> WindowCall.get(rank, 0, buffer), "rank", rank, allowed);
            add("a signal to rank " + rank, () -> WindowCall.signal(rank), "rank", rank, allowed);
            add("a wait for rank " + rank, () -> WindowCall.waitSignal(rank), "rank", rank, allowed);
            calls.add(BadCall.of("the size of rank " + rank, () -> window.byteSize(rank), "rank", rank, allowed));
            calls.add(BadCall.of("the memory of rank " + rank, () -> window.mapRemote(rank), "rank", rank, allowed));
            calls.add(BadCall.of("checking waits for " + rank, () -> window.checkWaits(rank), "rank", rank, allowed));
        }
        calls.add(BadCall.of(
                "checking waits for itself",
                () -> window.checkWaits(communicator.rank()),
                "wait",
                communicator.rank(),
                "another rank"));
        add(
                "a signal to itself",
                () -> WindowCall.signal(communicator.rank()),
                "signal",
                communicator.rank(),
                "another rank");
        add(
                "a wait for itself",
                () -> WindowCall.waitSignal(communicator.rank()),
                "wait",
                communicator.rank(),
                "another rank");
    }

    private void addBuffers(Communicator communicator, DeviceBuffer buffer) {
        calls.add(BadCall.of(
                "a put of nothing",
                () -> new WindowCall(WindowCall.Kind.PUT, 0, 0, Optional.empty()),
                "PUT",
                "buffer"));
        calls.add(BadCall.of(
                "a signal with a buffer",
                () -> new WindowCall(WindowCall.Kind.SIGNAL, 0, 0, Optional.of(buffer)),
                "SIGNAL",
                "buffer"));
        DeviceBuffer closed = communicator.device().allocate(buffer.byteSize());
        closed.close();
        add("a put of a closed buffer", () -> WindowCall.put(closed, 0, 0), "closed");
        add("a get into a closed buffer", () -> WindowCall.get(0, 0, closed), "closed");
        add("a put of memory of another backend", () -> WindowCall.put(new ForeignBuffer(buffer), 0, 0), "backend");
        calls.add(BadCall.of(
                "opening a window over a closed buffer",
                () -> communicator.openWindow(closed).close(),
                "closed"));
        calls.add(BadCall.of(
                "opening a window over memory of another backend",
                () -> communicator.openWindow(new ForeignBuffer(buffer)).close(),
                "backend"));
        calls.add(BadCall.of(
                "closing the memory of a window", () -> window.memory().close(), "close"));
    }

    private void addNulls(Communicator communicator, DeviceBuffer buffer) {
        calls.add(BadCall.withNull(
                "memory",
                "openWindow",
                () -> communicator.openWindow(Nothing.at()).close()));
        calls.add(BadCall.withNull(
                "call", "execute", () -> window.execute(Nothing.at()).join()));
        calls.add(BadCall.withNull(
                "call", "prepare", () -> window.prepare(Nothing.at()).close()));
        calls.add(BadCall.withNull(
                "call",
                "execute on a stream",
                () -> window.execute(Nothing.at(), communicator.stream()).join()));
        WindowCall put = WindowCall.put(buffer, communicator.rank(), 0);
        BadStreams.addStreams(
                calls,
                communicator.device(),
                "executing a put",
                on -> window.execute(put, on).join());
        calls.add(BadCall.withNull("source", "put", () -> WindowCall.put(Nothing.at(), 0, 0)));
        calls.add(BadCall.withNull("target", "get", () -> WindowCall.get(0, 0, Nothing.at())));
        calls.add(
                BadCall.withNull("kind", "WindowCall", () -> new WindowCall(Nothing.at(), 0, 0, Optional.of(buffer))));
    }
}
