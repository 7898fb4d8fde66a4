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
import org.mscclj.gpu.queue.HostWords;
import org.mscclj.gpu.stream.GpuStream;
import org.mscclj.spi.waiting.Backoff;

/**
 * The times of a device's clock and the host's clock at one moment. The host asks a kernel several times and keeps the
 * reading with the fastest answer. Its error is half the time of that answer: a microsecond or two.
 *
 * @param device nanoseconds of the device's clock
 * @param host the time as of {@link System#nanoTime}
 */
record ClockReading(long device, long host) {
    private static final int QUESTIONS = 16;
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    /**
     * Reads both clocks. Waits until the GPU has capacity for one more thread, and then for its answer.
     *
     * @throws OperationTimeoutException if the GPU does not answer
     */
    static ClockReading take(GpuPlanEngine engine) {
        Kernel kernel = engine.kernels().get("clock", ClockKernel.create().source(), ClockKernel.CLOCK, () -> {});
        HostWords.Words words = engine.words().take(ClockKernel.WORDS);
        try (Arena arena = Arena.ofConfined();
                Stream stream = engine.device().createStream()) {
            MemorySegment arguments = arena.allocate(ClockKernel.ARGUMENT_BYTES, 16);
            ClockKernel.writeArguments(arguments, words.address(), QUESTIONS, TIMEOUT.toNanos());
            MemorySegment parameters = arena.allocate(ValueLayout.ADDRESS);
            parameters.set(ValueLayout.ADDRESS, 0, arguments);
            GpuStream own = GpuStream.of(stream);
            engine.context().run(() -> kernel.launch(own.handle(), 1, 1, 0, parameters));
            Optional<ClockReading> reading = ask(words);
            stream.synchronize(TIMEOUT.multipliedBy(2));
            return reading.orElseThrow(() -> new OperationTimeoutException(
                    "GPU " + engine.context().ordinal() + " has not told its time within " + TIMEOUT.toSeconds()
                            + " s, because other kernels fill it; trace it when one more thread fits",
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
        backoff.start(TIMEOUT);
        while (words.getAcquire(ClockKernel.ANSWER) != question) {
            if (!backoff.pause()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Converts a time of the device's clock to the host's clock, by this reading and a later one. The clocks run at
     * different rates: they drift apart by some microseconds a second.
     */
    long hostTime(long deviceTime, ClockReading later) {
        long between = later.device - device;
        double speed = between > 0 ? (double) (later.host - host) / between : 1;
        return host + Math.round((deviceTime - device) * speed);
    }
}
