import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.IntConsumer;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.channel.PortChannel;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceKernel;
import org.mscclj.api.device.Stream;
import org.mscclj.api.element.TypedBuffer;
import org.mscclj.api.type.DataType;

/**
 * A kernel that computes and communicates: two ranks multiply matrices, each computes half of the rows, and both get
 * all of them. While the threads compute a tile, the proxy of the host moves the one before.
 *
 * <pre>{@code ./mscclj java examples/native-algorithms/Overlap.java examples/native-algorithms/overlap.cu}</pre>
 */
public final class Overlap {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int ROWS = 100;
    private static final int INNER = 64;
    private static final int COLUMNS = 96;
    private static final int REPETITIONS = 20;
    private static final int TILE = 8; // rows; the last tile of each rank is smaller

    private Overlap() {}

    /** The argument is the file of the kernel. */
    public static void main(String[] arguments) {
        Path source = Path.of(arguments[0]);
        try (LocalGroup group = LocalGroup.open(
                LocalGroupOptions.ranks(2).backend("cuda").timeout(TIMEOUT))) {
            group.run(communicator -> multiply(communicator, source));
        }
        System.out.println("overlap: all products are right");
    }

    private static void multiply(Communicator communicator, Path source) {
        Device device = communicator.device();
        TypedBuffer product = communicator.allocate(DataType.INT32, ROWS * COLUMNS); // closed with the communicator
        PortChannel channel =
                communicator.channels().portChannels(product.bytes(), 0).get(1 - communicator.rank());
        int[] left = numbers(ROWS * INNER, 7);
        int[] right = numbers(INNER * COLUMNS, 11);
        try (DeviceKernel kernel = device.compileNative("product", source);
                TypedBuffer a = TypedBuffer.allocate(device, DataType.INT32, left.length);
                TypedBuffer b = TypedBuffer.allocate(device, DataType.INT32, right.length);
                Stream stream = device.createStream()) {
            a.copyFrom(left);
            b.copyFrom(right);
            product.fill(-1);
            communicator.barrier(); // everybody has loaded its kernel
            int half = ROWS / 2;
            IntConsumer launching = tile -> kernel.launch(
                    stream,
                    1,
                    Math.min(256, kernel.maxThreads()),
                    0,
                    channel.deviceHandle(),
                    a.bytes().address(),
                    b.bytes().address(),
                    product.bytes().address(),
                    communicator.rank() * half,
                    half,
                    INNER,
                    COLUMNS,
                    tile);
            launching.accept(TILE);
            stream.synchronize(TIMEOUT);
            channel.checkWaits(); // throws if the kernel has ended early
            check(communicator.rank(), product.toIntArray(), left, right);
            double with = micros(communicator, stream, () -> launching.accept(TILE));
            double without = micros(communicator, stream, () -> launching.accept(half)); // one tile
            channel.checkWaits();
            check(communicator.rank(), product.toIntArray(), left, right);
            communicator.barrier(); // the kernels of all ranks have ended
            if (communicator.rank() == 0) {
                System.out.printf(Locale.ROOT, "%.1f us with the overlap, %.1f us without%n", with, without);
            }
        }
    }

    /** Returns how long a product takes. */
    private static double micros(Communicator communicator, Stream stream, Runnable launch) {
        communicator.barrier();
        long start = System.nanoTime();
        for (int repetition = 0; repetition < REPETITIONS; repetition++) {
            launch.run();
        }
        stream.synchronize(TIMEOUT);
        return (System.nanoTime() - start) / 1e3 / REPETITIONS;
    }

    private static void check(int rank, int[] product, int[] left, int[] right) {
        for (int row = 0; row < ROWS; row++) {
            for (int column = 0; column < COLUMNS; column++) {
                int expected = 0;
                for (int i = 0; i < INNER; i++) {
                    expected += left[row * INNER + i] * right[i * COLUMNS + column];
                }
                if (product[row * COLUMNS + column] != expected) {
                    throw new IllegalStateException("rank " + rank + ": row " + row + ", column " + column + " is "
                            + product[row * COLUMNS + column] + ", expected " + expected);
                }
            }
        }
    }

    private static int[] numbers(int count, int step) {
        int[] numbers = new int[count];
        Arrays.setAll(numbers, at -> at * step % 1009 - 500);
        return numbers;
    }
}
