package org.mscclj.gpu.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.device.kernels.trace.ClockKernel;
import org.mscclj.gpu.module.Kernel;
import org.mscclj.gpu.stream.GpuStream;
import org.mscclj.spi.engine.Backoff;

/**
 * What a device's clock and the host's say at the same moment. The host asks a kernel some times, and the answer that
 * came soonest is the most exact: it is off by half as long as it took, a microsecond or two.
 *
 * @param device nanoseconds of the device's clock
 * @param host as of {@link System#nanoTime}
 */
record ClockReading(long device, long host) {
    private static final int QUESTIONS = 16;
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /**
     * Reads both. Waits until the GPU has room for one more thread, and until it has answered.
     *
     * @throws OperationTimeoutException if the GPU does not answer
     */
    static ClockReading take(GpuPlanEngine engine) {
        Kernel kernel = engine.kernels().get("clock", ClockKernel.create().source(), ClockKernel.CLOCK, () -> {});
        HostWords.Words words = engine.words().take(ClockKernel.WORDS);
        try (Arena arena = Arena.ofConfined();
                Stream stream = engine.device().createStream()) {
            MemorySegment arguments = arena.allocate(ClockKernel.ARGUMENT_BYTES, 16);
            ClockKernel.writeArguments(arguments, words.address(), QUESTIONS, PATIENCE.toNanos());
            MemorySegment parameters = arena.allocate(ValueLayout.ADDRESS);
            parameters.set(ValueLayout.ADDRESS, 0, arguments);
            GpuStream own = GpuStream.of(stream);
            engine.context().run(() -> kernel.launch(own.handle(), 1, 1, 0, parameters));
            Optional<ClockReading> reading = ask(words);
            stream.synchronize(PATIENCE.multipliedBy(2));
            return reading.orElseThrow(() -> new OperationTimeoutException(
                    "GPU " + engine.context().ordinal() + " has not told its time within " + PATIENCE.toSeconds()
                            + " s, because other kernels fill it; trace it when it has room for one more thread",
                    List.of()));
        } finally {
            engine.words().giveBack(words);
        }
    }

    private static Optional<ClockReading> ask(HostWords.Words words) {
        Optional<ClockReading> best = Optional.empty();
        long shortest = Long.MAX_VALUE;
        for (int question = 1; question <= QUESTIONS; question++) {
            long before = System.nanoTime();
            words.setRelease(ClockKernel.QUESTION, question);
            if (!answered(words, question)) {
                return best;
            }
            long after = System.nanoTime();
            if (after - before < shortest) {
                shortest = after - before;
                best = Optional.of(new ClockReading(words.getAcquire(ClockKernel.TIME), before + (after - before) / 2));
            }
        }
        return best;
    }

    private static boolean answered(HostWords.Words words, int question) {
        Backoff backoff = Backoff.forDevices();
        backoff.start(PATIENCE);
        while (words.getAcquire(ClockKernel.ANSWER) != question) {
            if (!backoff.pause()) {
                return false;
            }
        }
        return true;
    }

    /**
     * What the host's clock said when the device's said something, by this reading and a later one. The clocks do not
     * run equally fast: they part by some microseconds a second.
     */
    long hostTime(long deviceTime, ClockReading later) {
        long between = later.device - device;
        double speed = between > 0 ? (double) (later.host - host) / between : 1;
        return host + Math.round((deviceTime - device) * speed);
    }
}
