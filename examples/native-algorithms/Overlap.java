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

    /** The last tile of each rank may be smaller. */
    private static final int TILES = 7;

    private Overlap() {}

    /**
     * What is multiplied.
     *
     * @param rows rows of the product, an even number
     * @param inner columns of the left factor
     * @param columns columns of the product
     */
    private record Shape(int rows, int inner, int columns) {}

    /** The arguments are the file of the kernel, and the rows, inner columns and columns; 100, 64 and 96 without. */
    public static void main(String[] arguments) {
        Path source = Path.of(arguments[0]);
        Shape shape = arguments.length > 3
                ? new Shape(
                        Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]))
                : new Shape(100, 64, 96);
        try (LocalGroup group = LocalGroup.open(
                LocalGroupOptions.ranks(2).backend("cuda").timeout(TIMEOUT))) {
            group.run(communicator -> multiply(communicator, source, shape));
        }
        System.out.println("overlap: all products are right");
    }

    private static void multiply(Communicator communicator, Path source, Shape shape) {
        Device device = communicator.device();
        // closed with the communicator
        TypedBuffer product = communicator.allocate(DataType.INT32, (long) shape.rows() * shape.columns());
        PortChannel channel =
                communicator.channels().portChannels(product.bytes(), 0).get(1 - communicator.rank());
        int[] left = numbers(shape.rows() * shape.inner(), 7);
        int[] right = numbers(shape.inner() * shape.columns(), 11);
        try (DeviceKernel kernel = device.compileNative("product", source);
                TypedBuffer a = TypedBuffer.allocate(device, DataType.INT32, left.length);
                TypedBuffer b = TypedBuffer.allocate(device, DataType.INT32, right.length);
                Stream stream = device.createStream()) {
            a.copyFrom(left);
            b.copyFrom(right);
            product.fill(-1);
            communicator.barrier(); // everybody has loaded its kernel
            int half = shape.rows() / 2;
            int few = Math.ceilDiv(half, TILES);
            IntConsumer launching = tile -> kernel.launch(
                    stream,
                    1,
                    kernel.maxThreads(),
                    0,
                    channel.deviceHandle(),
                    a.bytes().address(),
                    b.bytes().address(),
                    product.bytes().address(),
                    communicator.rank() * half,
                    half,
                    shape.inner(),
                    shape.columns(),
                    tile);
            launching.accept(few);
            stream.synchronize(TIMEOUT);
            channel.checkWaits(); // throws if the kernel has ended early
            check(communicator.rank(), product.toIntArray(), left, right, shape);
            double with = Times.micros(communicator, stream, () -> launching.accept(few));
            double without = Times.micros(communicator, stream, () -> launching.accept(half)); // one tile
            channel.checkWaits();
            check(communicator.rank(), product.toIntArray(), left, right, shape);
            if (communicator.rank() == 0) {
                System.out.printf(Locale.ROOT, "%.1f us with the overlap, %.1f us without%n", with, without);
            }
        }
    }

    private static void check(int rank, int[] product, int[] left, int[] right, Shape shape) {
        for (int row = 0; row < shape.rows(); row++) {
            for (int column = 0; column < shape.columns(); column++) {
                int expected = 0;
                for (int i = 0; i < shape.inner(); i++) {
                    expected += left[row * shape.inner() + i] * right[i * shape.columns() + column];
                }
                if (product[row * shape.columns() + column] != expected) {
                    throw new IllegalStateException("rank " + rank + ": row " + row + ", column " + column + " is "
                            + product[row * shape.columns() + column] + ", expected " + expected);
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
