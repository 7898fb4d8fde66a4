package org.mscclj.conformance.rank.refusal;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.mscclj.api.BarrierCall;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.TransferCall;
import org.mscclj.api.Window;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/** Uses of closed objects. */
final class ClosedCalls {
    private ClosedCalls() {}

    /**
     * Returns calls of a closed communicator.
     *
     * @param buffer an open buffer of the device
     */
    static List<BadCall> of(Communicator closed, DeviceBuffer buffer, DataType type) {
        List<BadCall> calls = new ArrayList<>();
        CollectiveCall sum = CollectiveCall.allReduce(buffer, type);
        TransferCall own = TransferCall.batch().send(buffer, closed.rank()).receive(buffer, closed.rank());
        add(calls, "allocate", () -> closed.allocate(64).close());
        add(calls, "prepare", BadCall.preparing(() -> closed.prepare(sum)));
        add(calls, "execute", BadCall.executing(() -> closed.execute(sum)));
        add(calls, "prepare of messages", BadCall.preparing(() -> closed.prepare(own)));
        add(calls, "execute of messages", BadCall.executing(() -> closed.execute(own)));
        add(calls, "allReduce", BadCall.executing(() -> closed.allReduce(buffer, buffer, type, ReduceOp.SUM)));
        add(calls, "barrier", closed::barrier);
        add(calls, "prepare of a barrier", BadCall.preparing(() -> closed.prepare(BarrierCall.STREAMS)));
        add(calls, "execute of a barrier", BadCall.executing(() -> closed.execute(BarrierCall.STREAMS)));
        add(calls, "barrier with a timeout", () -> closed.barrier(Duration.ofSeconds(1)));
        add(calls, "requireEqual", () -> closed.requireEqual("conformance", () -> new byte[0], Arrays::toString));
        add(
                calls,
                "requireEqual with a timeout",
                () -> closed.requireEqual("conformance", () -> new byte[0], Arrays::toString, Duration.ofSeconds(1)));
        add(
                calls,
                "split",
                () -> closed.split(List.of(closed.rank()), "conformance").ifPresent(Communicator::close));
        add(calls, "split by colour", () -> closed.split(0, 0).ifPresent(Communicator::close));
        add(calls, "shrink", () -> closed.shrink(List.of()).close());
        add(calls, "openWindow", () -> closed.openWindow(buffer).close());
        add(calls, "channels", closed::channels);
        Duration timeout = Duration.ofSeconds(1);
        add(calls, "allocate with a timeout", () -> closed.allocate(64, timeout).close());
        add(
                calls,
                "split with a timeout",
                () -> closed.split(List.of(closed.rank()), "conformance", timeout)
                        .ifPresent(Communicator::close));
        add(
                calls,
                "split by colour with a timeout",
                () -> closed.split(0, 0, "conformance", timeout).ifPresent(Communicator::close));
        add(
                calls,
                "shrink with a timeout",
                () -> closed.shrink(List.of(), timeout).close());
        add(
                calls,
                "openWindow with a timeout",
                () -> closed.openWindow(buffer, timeout).close());
        return calls;
    }

    private static void add(List<BadCall> calls, String what, Runnable call) {
        calls.add(BadCall.of(what + " of a closed communicator", call, "is closed", "open another"));
    }

    /** Returns calls of a closed window. */
    static List<BadCall> of(Window closed, DeviceBuffer buffer) {
        return List.of(
                BadCall.of(
                        "a put in a closed window",
                        () -> closed.put(buffer, 0, 0).join(),
                        "closed",
                        "open another"),
                BadCall.of(
                        "a get of a closed window",
                        () -> closed.get(0, 0, buffer).join(),
                        "closed",
                        "open another"),
                BadCall.of("mapping memory of a closed window", () -> closed.mapRemote(0), "closed", "open another"));
    }

    /** Returns calls of a closed buffer, and calls with it. */
    static List<BadCall> of(DeviceBuffer closed, Communicator communicator, DataType type) {
        CollectiveCall sum = CollectiveCall.allReduce(closed, type);
        MemorySegment memory = MemorySegment.ofArray(new byte[Math.toIntExact(closed.byteSize())]);
        return List.of(
                BadCall.of("copying to a closed buffer", () -> closed.copyFrom(memory), "closed", "allocate another"),
                BadCall.of("copying from a closed buffer", () -> closed.copyTo(memory), "closed", "allocate another"),
                BadCall.of(
                        "prepare with a closed buffer", BadCall.preparing(() -> communicator.prepare(sum)), "closed"),
                BadCall.of(
                        "execute with a closed buffer", BadCall.executing(() -> communicator.execute(sum)), "closed"));
    }

    /** Returns calls of a closed operation. */
    static List<BadCall> of(PreparedOperation closed, Communicator communicator) {
        return List.of(
                BadCall.of("launching a closed operation", closed::launch, "closed", "prepare another"),
                BadCall.of(
                        "running a closed operation",
                        () -> closed.run(communicator.timeout()),
                        "closed",
                        "prepare another"));
    }
}
