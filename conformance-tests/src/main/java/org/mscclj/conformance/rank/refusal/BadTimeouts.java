package org.mscclj.conformance.rank.refusal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.mscclj.api.Communicator;
import org.mscclj.api.Quorum;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.type.DataType;

/** Invalid timeouts of single calls, and other bad arguments of calls that have a timeout. */
final class BadTimeouts {
    private BadTimeouts() {}

    /** A call with a timeout. */
    private record Timed(String method, Consumer<Duration> call) {}

    /**
     * Returns the calls.
     *
     * @param buffer any memory
     */
    static List<BadCall> of(Communicator communicator, DeviceBuffer buffer) {
        List<Integer> own = List.of(communicator.rank());
        Quorum quorum = Quorum.of("conformance", own);
        List<Timed> timed = List.of(
                new Timed("barrier", communicator::barrier),
                new Timed(
                        "requireEqual",
                        bad -> communicator.requireEqual("x", () -> new byte[0], Arrays::toString, bad)),
                new Timed("register", bad -> communicator.register(buffer, bad)),
                new Timed("warmUp", bad -> communicator.warmUp(List.of(), bad)),
                new Timed("allocate", bad -> communicator.allocate(64, bad).close()),
                new Timed(
                        "allocate of elements",
                        bad -> communicator.allocate(DataType.INT8, 64, bad).close()),
                new Timed(
                        "openWindow",
                        bad -> communicator.openWindow(buffer, bad).close()),
                new Timed(
                        "split",
                        bad -> communicator.split(own, "conformance", bad).ifPresent(Communicator::close)),
                new Timed(
                        "split by colour",
                        bad -> communicator.split(0, 0, "conformance", bad).ifPresent(Communicator::close)),
                new Timed("shrink", bad -> communicator.shrink(List.of(), bad).close()),
                new Timed(
                        "reconfigure",
                        bad -> communicator.reconfigure(quorum, bad).close()));
        List<BadCall> calls = new ArrayList<>();
        for (Timed each : timed) {
            Duration bad = Duration.ofNanos(-1);
            calls.add(BadCall.of(
                    each.method + " within " + DurationText.of(bad), () -> each.call.accept(bad), bad, "0 for none"));
            calls.add(BadCall.withNull("timeout", each.method, () -> each.call.accept(Nothing.at())));
        }
        addOtherArguments(communicator, calls);
        return calls;
    }

    private static void addOtherArguments(Communicator communicator, List<BadCall> calls) {
        Duration soon = Duration.ofSeconds(1);
        List<Integer> own = List.of(communicator.rank());
        calls.add(withNull("type", "allocate", () -> communicator.allocate(Nothing.at(), 1, soon)));
        calls.add(withNull("buffer", "register", () -> communicator.register(Nothing.at(), soon)));
        calls.add(withNull("classes", "warmUp", () -> communicator.warmUp(Nothing.at(), soon)));
        calls.add(withNull("memory", "openWindow", () -> communicator.openWindow(Nothing.at(), soon)));
        calls.add(withNull("ranks", "split", () -> communicator.split(Nothing.at(), "conformance", soon)));
        calls.add(withNull("name", "split", () -> communicator.split(own, Nothing.at(), soon)));
        calls.add(withNull("name", "split", () -> communicator.split(0, 0, Nothing.at(), soon)));
        calls.add(withNull("excluded", "shrink", () -> communicator.shrink(Nothing.at(), soon)));
        calls.add(withNull("quorum", "reconfigure", () -> communicator.reconfigure(Nothing.at(), soon)));
    }

    private static BadCall withNull(String argument, String method, Runnable call) {
        return BadCall.withNull(argument, method + " with a timeout", call);
    }
}
