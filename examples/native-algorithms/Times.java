import java.time.Duration;
import java.util.Locale;
import org.mscclj.api.Communicator;
import org.mscclj.api.device.Stream;
import org.mscclj.api.element.TypedBuffer;

/** Measures work that a rank launches again and again. */
final class Times {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    /** Times that count take thousands: Java compiles what runs often. */
    private static final int REPETITIONS = Integer.getInteger("repetitions", 20);

    private Times() {}

    /** Returns how long the work takes, in microseconds. All ranks call this with the same work. */
    static double micros(Communicator communicator, Stream stream, Runnable work) {
        repeat(stream, work);
        communicator.barrier();
        long start = System.nanoTime();
        repeat(stream, work);
        double micros = (System.nanoTime() - start) / 1e3 / REPETITIONS;
        communicator.barrier(); // the kernels of all ranks have ended
        return micros;
    }

    private static void repeat(Stream stream, Runnable work) {
        for (int repetition = 0; repetition < REPETITIONS; repetition++) {
            work.run();
        }
        stream.synchronize(TIMEOUT);
    }

    /** Prints, on rank 0, how long a native algorithm takes, and how long a program of mscclj takes for the same. */
    static void print(Communicator communicator, TypedBuffer input, double own, double shipped) {
        if (communicator.rank() == 0) {
            System.out.printf(
                    Locale.ROOT,
                    "%d bytes of each rank: %.1f us natively, %.1f us by the program of mscclj%n",
                    input.bytes().byteSize(),
                    own,
                    shipped);
        }
    }
}
