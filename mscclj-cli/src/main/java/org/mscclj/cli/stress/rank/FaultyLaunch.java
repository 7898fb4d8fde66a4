package org.mscclj.cli.stress.rank;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.mscclj.api.Communicator;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.DeviceKernel;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.conformance.operation.Operations;
import org.mscclj.conformance.operation.Step;
import org.mscclj.spi.waiting.Backoff;

/** A collective that all ranks repeat until a kernel faults on one of them. */
public final class FaultyLaunch {
    /** Time that the victim waits before it launches the kernel, so that all ranks are in the collective. */
    public static final Duration PAUSE = Duration.ofMillis(200);

    private static final int COUNT = 65_536;
    private static final long BYTES = 64;

    private final Communicator communicator;
    private final DeviceFault fault;
    private final boolean isVictim;

    FaultyLaunch(Communicator communicator, DeviceFault fault, int victim) {
        this.communicator = communicator;
        this.fault = fault;
        this.isVictim = communicator.rank() == victim;
    }

    /**
     * Runs until the collective has failed.
     *
     * @param running called when all ranks are about to continue
     * @param failed receives the exception of the collective at once, since later calls of the driver may block the
     *     victim for seconds
     * @throws IllegalStateException if another operation has not failed as expected; the suppressed exceptions describe
     *     it
     */
    void run(Runnable running, Consumer<RuntimeException> failed) {
        RuntimeException wrong = new IllegalStateException("the effects of a fault are wrong");
        List<Integer> all = IntStream.range(0, communicator.size()).boxed().toList();
        try (Communicator other = communicator.split(all, "other").orElseThrow();
                DeviceBuffer memory = communicator.device().allocate(BYTES);
                Stream stream = communicator.device().createStream();
                DeviceKernel kernel = communicator.device().compile(fault.source(), fault.function());
                Step step = Operations.open("allreduce", communicator, COUNT)) {
            step.run();
            communicator.barrier();
            running.run();
            Thread launcher = Thread.ofPlatform().daemon().start(() -> launch(kernel, stream, memory));
            try {
                while (true) {
                    step.run();
                }
            } catch (RuntimeException e) {
                failed.accept(e);
                join(launcher);
                requireEnded(
                        wrong, "a stream of the GPU", isVictim, e, () -> stream.synchronize(communicator.timeout()));
                requireEnded(wrong, "another communicator", true, e, other::barrier);
            }
        }
        if (wrong.getSuppressed().length > 0) {
            throw wrong;
        }
    }

    private void launch(DeviceKernel kernel, Stream stream, DeviceBuffer memory) {
        if (isVictim) {
            Backoff.delay(PAUSE.toNanos());
            kernel.launch(stream, 1, 1, 0, fault.address(memory));
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Records an operation that does not fail although the device has failed on this rank, or that fails for another
     * reason than the collective.
     */
    private void requireEnded(
            RuntimeException wrong, String what, boolean ends, RuntimeException first, Runnable wait) {
        String found;
        try {
            wait.run();
            found = "continues to work";
        } catch (RuntimeException e) {
            found = hasSameCause(first, e) ? "" : "says " + e;
        }
        if (ends && !found.isEmpty()) {
            wrong.addSuppressed(new IllegalStateException(what + " " + found));
        }
    }

    private static boolean hasSameCause(RuntimeException first, RuntimeException later) {
        return switch (first) {
            case BackendException failed ->
                later instanceof BackendException also && also.symbol().equals(failed.symbol());
            case RankLostException lost -> later instanceof RankLostException also && also.rank() == lost.rank();
            default -> {
                Optional<String> symbol = ErrorSymbol.in(first.getMessage());
                yield symbol.isPresent() && symbol.equals(ErrorSymbol.in(later.getMessage()));
            }
        };
    }
}
