package org.mscclj.backend.cuda;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.IntFunction;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.type.DataType;
import org.mscclj.backend.cuda.driver.CudaDriver;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.context.Gpu;
import org.mscclj.gpu.module.Kernel;
import org.mscclj.gpu.module.KernelModule;

/**
 * Measures what a launch costs the thread that makes it, on the stand-in driver, whose kernels end at once: by a
 * prepared operation, by {@code execute} of a known call, and by {@code execute} with buffers that are elsewhere each
 * time. Rank 0 of two measures; rank 1 waits.
 */
public final class EagerLaunchCost {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int BYTES = 1 << 10;
    private static final int LAUNCHES = 100;
    private static final int BATCHES = 2_000;
    private static final int WARM_UP = 1_000;

    /** More places than the runtime keeps operations for. */
    private static final int PLACES = 4_096;

    private static final long STEP = 256;
    private static final int[] SIZES = {1 << 10, 1 << 16, 1 << 20, 1 << 22};

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** A launch: its time, and the bytes that the thread has allocated for it. */
    private record Cost(double nanos, double bytes) {}

    private EagerLaunchCost() {}

    /** Prints the costs; with an argument, that of {@code execute} only. */
    public static void main(String[] arguments) {
        try (LocalGroup group =
                LocalGroup.open(LocalGroupOptions.ranks(2).backend("cuda").timeout(LIMIT))) {
            group.run(communicator -> {
                try (DeviceBuffer buffer = communicator.allocate(BYTES);
                        PreparedOperation operation =
                                communicator.prepare(CollectiveCall.allReduce(buffer, DataType.FLOAT16))) {
                    CollectiveCall call = CollectiveCall.allReduce(buffer, DataType.FLOAT16);
                    communicator.execute(call).join();
                    communicator.barrier();
                    if (communicator.rank() == 0) {
                        measure(communicator, operation, call, arguments.length > 0);
                    }
                    communicator.barrier();
                }
                for (int bytes : arguments.length > 0 ? new int[0] : SIZES) {
                    elsewhere(communicator, bytes, communicator.rank() == 0);
                }
            });
        }
    }

    private static void measure(
            Communicator communicator, PreparedOperation operation, CollectiveCall call, boolean onlyExecute) {
        Stream stream = communicator.stream();
        if (!onlyExecute) {
            bare(communicator, stream);
            print("prepared", cost(communicator, _ -> {
                operation.launch(stream);
                return null;
            }));
        }
        Work[] kept = new Work[1];
        print("execute", cost(communicator, _ -> kept[0] = communicator.execute(call, stream)));
        if (!onlyExecute) {
            print(
                    "execute, new call",
                    cost(
                            communicator,
                            _ -> kept[0] = communicator.execute(
                                    CollectiveCall.allReduce(call.input(), DataType.FLOAT16), stream)));
        }
    }

    /** Calls with buffers at other addresses each time, of memory that is not registered. */
    private static void elsewhere(Communicator communicator, int bytes, boolean measured) {
        try (DeviceBuffer memory = communicator.device().allocate(PLACES * STEP + bytes)) {
            Work[] kept = new Work[1];
            IntFunction<Object> launch = place -> {
                DeviceBuffer slice = memory.slice(place % PLACES * STEP, bytes);
                kept[0] =
                        communicator.execute(CollectiveCall.allReduce(slice, DataType.FLOAT16), communicator.stream());
                return kept;
            };
            launch.apply(0); // which all ranks set up
            communicator.barrier();
            if (measured) {
                int[] next = new int[1];
                print("elsewhere, " + bytes, cost(communicator, _ -> launch.apply(next[0]++ & Integer.MAX_VALUE)));
            }
            communicator.stream().synchronize(LIMIT);
            communicator.barrier();
        }
    }

    /** A launch by the driver, of a kernel that adds 0 to an integer. */
    private static void bare(Communicator communicator, Stream stream) {
        try (DeviceContext context = DeviceContext.open(new Gpu(CudaDriver.INSTANCE, 0));
                KernelModule module = KernelModule.load(context, "CUBIN".getBytes(StandardCharsets.US_ASCII));
                Arena arena = Arena.ofConfined()) {
            Kernel add = module.kernel("add");
            MemorySegment sum = arena.allocateFrom(ValueLayout.ADDRESS, arena.allocate(ValueLayout.JAVA_INT));
            MemorySegment zero = arena.allocate(ValueLayout.JAVA_INT);
            MemorySegment parameters = arena.allocate(ValueLayout.ADDRESS, 2);
            parameters.setAtIndex(ValueLayout.ADDRESS, 0, sum);
            parameters.setAtIndex(ValueLayout.ADDRESS, 1, zero);
            print("bare", cost(communicator, _ -> {
                add.launch(stream.nativeHandle(), 1, 32, 0, parameters);
                return null;
            }));
        }
    }

    private static void print(String what, Cost cost) {
        System.out.printf(Locale.ROOT, "%-20s %7.1f ns %6.1f B%n", what, cost.nanos, cost.bytes);
    }

    /**
     * Launches in batches, and waits for the stream between them. The time is the first decile of the batches after the
     * VM has compiled the code: a batch is short, so that few of them are interrupted. The bytes are the median.
     */
    private static Cost cost(Communicator communicator, IntFunction<Object> launch) {
        double[] nanos = new double[BATCHES];
        double[] bytes = new double[BATCHES];
        for (int batch = -WARM_UP; batch < BATCHES; batch++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            long start = System.nanoTime();
            for (int i = 0; i < LAUNCHES; i++) {
                launch.apply(i);
            }
            long end = System.nanoTime();
            if (batch >= 0) {
                nanos[batch] = (double) (end - start) / LAUNCHES;
                bytes[batch] = (double) (THREADS.getCurrentThreadAllocatedBytes() - before) / LAUNCHES;
            }
            communicator.stream().synchronize(LIMIT);
        }
        Arrays.sort(nanos);
        Arrays.sort(bytes);
        return new Cost(nanos[BATCHES / 10], bytes[BATCHES / 2]);
    }
}
