import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.channel.MemoryChannel;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.DeviceKernel;
import org.mscclj.api.device.Stream;
import org.mscclj.api.element.TypedBuffer;
import org.mscclj.api.type.DataType;

/**
 * A matrix product fused with an allgather: each rank computes some rows, and all ranks get all of them. Blocks put
 * finished tiles into the memory of all peers while other blocks compute. Beside it, the same product and then an
 * allgather, without the overlap; prints how long both take.
 *
 * <pre>{@code
 * cd examples/native-algorithms
 * ../../mscclj java Fused.java fused.cu 2 8192 64
 * }</pre>
 */
public final class Fused {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int TILE = 8; // rows, as in the kernel

    /** From this number of rows on, a few of them are checked. */
    private static final int ALL_ROWS = 1024;

    private Fused() {}

    /**
     * What is multiplied.
     *
     * @param rows rows and columns of the product
     * @param inner columns of the left factor
     */
    private record Shape(int rows, int inner) {}

    /**
     * The arguments are the file of the kernel; the number of ranks, 2 if it is not there; the rows of the product, a
     * multiple of the ranks; and the columns of the left factor.
     */
    public static void main(String[] arguments) {
        Path source = Path.of(arguments[0]);
        int ranks = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 2;
        int rows = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 60 * ranks;
        int inner = arguments.length > 3 ? Integer.parseInt(arguments[3]) : 48;
        if (rows % ranks != 0) {
            throw new IllegalArgumentException(
                    "the rows are " + rows + "; allowed: a multiple of the " + ranks + " ranks");
        }
        try (LocalGroup group = LocalGroup.open(
                LocalGroupOptions.ranks(ranks).backend("cuda").timeout(TIMEOUT))) {
            group.run(communicator -> multiply(communicator, source, new Shape(rows, inner)));
        }
        System.out.println("fused: all products are right on " + ranks + " ranks");
    }

    private static void multiply(Communicator communicator, Path source, Shape shape) {
        Device device = communicator.device();
        int[] left = numbers(shape.rows() * shape.inner(), 7);
        int[] right = numbers(shape.inner() * shape.rows(), 11);
        // closed with the communicator, as channels use it
        TypedBuffer product = communicator.allocate(DataType.INT32, (long) shape.rows() * shape.rows());
        List<MemoryChannel> channels =
                List.copyOf(communicator.channels().memoryChannels(product.bytes(), 0).values());
        try (DeviceKernel kernel = device.compileNative("fused", source);
                DeviceBuffer table = table(device, channels);
                DeviceBuffer syncer = device.allocate(Long.BYTES);
                TypedBuffer a = TypedBuffer.allocate(device, DataType.INT32, left.length);
                TypedBuffer b = TypedBuffer.allocate(device, DataType.INT32, right.length);
                Stream stream = device.createStream()) {
            a.copyFrom(left);
            b.copyFrom(right);
            int own = shape.rows() / communicator.size();
            int threads = Math.min(256, kernel.maxThreads());
            // Blocks that wait for each other share the GPU with those of the allgather.
            int blocks = Math.clamp(Math.ceilDiv(own, TILE), 1, Math.max(1, kernel.maxBlocks(threads, 0) / 2));
            Launching launching = peers -> kernel.launch(
                    stream,
                    blocks,
                    threads,
                    0,
                    table.address(),
                    peers,
                    syncer.address(),
                    a.bytes().address(),
                    b.bytes().address(),
                    product.bytes().address(),
                    communicator.rank() * own,
                    own,
                    shape.inner(),
                    shape.rows());
            CollectiveCall gathering = CollectiveCall.allGather(
                    product.part(communicator.rank(), communicator.size()), product);
            Runnable fused = () -> launching.launch(channels.size());
            Runnable apart = () -> {
                launching.launch(0);
                communicator.execute(gathering, stream);
            };
            double overlapped = time(communicator, stream, product, fused, () -> {
                channels.forEach(MemoryChannel::checkWaits); // throws if a kernel has ended early
                check(communicator.rank(), product, left, right, shape);
            });
            double one = time(
                    communicator,
                    stream,
                    product,
                    apart,
                    () -> check(communicator.rank(), product, left, right, shape));
            if (communicator.rank() == 0) {
                System.out.printf(
                        Locale.ROOT,
                        "%d rows, %d blocks: %.1f us with the overlap, %.1f us without%n",
                        shape.rows(),
                        blocks,
                        overlapped,
                        one);
            }
        }
    }

    /** Enqueues the kernel for a number of peers. */
    @FunctionalInterface
    private interface Launching {
        void launch(int peers);
    }

    /** Checks a product, and returns how long one takes, in microseconds. */
    private static double time(
            Communicator communicator, Stream stream, TypedBuffer product, Runnable work, Runnable check) {
        product.fill(-1);
        communicator.barrier(); // all ranks have filled their products before one writes
        work.run();
        stream.synchronize(TIMEOUT);
        check.run();
        return Times.micros(communicator, stream, work);
    }

    private static DeviceBuffer table(Device device, List<MemoryChannel> channels) {
        DeviceBuffer table = device.allocate((long) channels.size() * Long.BYTES);
        try (Arena arena = Arena.ofConfined()) {
            table.copyFrom(arena.allocateFrom(
                    ValueLayout.JAVA_LONG,
                    channels.stream().mapToLong(MemoryChannel::deviceHandle).toArray()));
        }
        return table;
    }

    private static void check(int rank, TypedBuffer product, int[] left, int[] right, Shape shape) {
        int rows = shape.rows();
        int step = rows < ALL_ROWS ? 1 : rows / 64 + 1;
        for (int row = 0; row < rows; row += step) {
            int[] found = product.slice((long) row * rows, rows).toIntArray();
            for (int column = 0; column < rows; column++) {
                int expected = 0;
                for (int i = 0; i < shape.inner(); i++) {
                    expected += left[row * shape.inner() + i] * right[i * rows + column];
                }
                if (found[column] != expected) {
                    throw new IllegalStateException("rank " + rank + ": row " + row + ", column " + column + " is "
                            + found[column] + ", expected " + expected);
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
