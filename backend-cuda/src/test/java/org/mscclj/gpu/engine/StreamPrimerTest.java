package org.mscclj.gpu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.DeviceKernel;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.backend.cuda.driver.CudaDriver;
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.backend.cuda.standin.StandInGpu;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.context.Gpu;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.engine.PreparedLaunch;

/**
 * Streams that several threads use first at the same moment: the driver may give them one place in the hardware if
 * their first work meets in it.
 */
@ResourceLock(StandIn.RESOURCE)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StreamPrimerTest {
    private static final int STREAMS = 4;
    private static final int MICROS = 3000;
    private static final String SOURCE = "#include <mscclj/copy.cuh>\n";

    @RegisterExtension
    final StandInGpu gpu = new StandInGpu();

    private final List<Long> foreign = new ArrayList<>();
    private ExecutorService threads;
    private BackendDevice device;
    private DeviceContext context;

    @BeforeEach
    void open() {
        device = gpu.device();
        context = DeviceContext.open(new Gpu(CudaDriver.INSTANCE, 0));
        threads = Executors.newFixedThreadPool(STREAMS);
    }

    @AfterEach
    void close() {
        StandIn.slowFirstWork(0);
        threads.close();
        context.run(() -> foreign.forEach(stream ->
                CudaDriver.INSTANCE.check(CudaDriver.INSTANCE.streams().destroy(stream), "cuStreamDestroy")));
        context.close();
    }

    /** As other software makes them: nothing was done on them yet. */
    private List<Stream> adopted() {
        context.run(() -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment made = arena.allocate(ValueLayout.JAVA_LONG);
                for (int i = 0; i < STREAMS; i++) {
                    CudaDriver.INSTANCE.check(
                            CudaDriver.INSTANCE.streams().create(false, made), "cuStreamCreateWithPriority");
                    foreign.add(made.get(ValueLayout.JAVA_LONG, 0));
                }
            }
        });
        return foreign.stream().map(device::adoptStream).toList();
    }

    /** How often two streams met, of which a thread each uses one at the same moment. */
    private long met(List<Consumer<Integer>> uses) throws Exception {
        StandIn.slowFirstWork(MICROS);
        CyclicBarrier start = new CyclicBarrier(STREAMS);
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < STREAMS; i++) {
            int stream = i;
            all.add(threads.submit(() -> {
                start.await();
                uses.get(stream % uses.size()).accept(stream);
                return stream;
            }));
        }
        for (Future<?> one : all) {
            one.get();
        }
        return StandIn.metAtFirstWork();
    }

    @Test
    void newStreamsGetTheirsInTurn() throws Exception {
        Stream[] made = new Stream[STREAMS];
        assertEquals(0, met(List.of(i -> made[i] = device.createStream())));
        try (DeviceKernel kernel = device.compile(SOURCE, "spin")) {
            assertEquals(0, met(List.of(i -> kernel.launch(made[i], 1, 32, 0, 0L))));
        }
        List.of(made).forEach(Stream::close);
    }

    @Test
    void streamsOfOtherSoftwareGetTheirsInTurnWhateverIsLaunched() throws Exception {
        List<Stream> streams = adopted();
        Stream mine = gpu.createStream();
        DeviceBuffer source = device.allocate(8);
        DeviceBuffer target = device.allocate(8);
        try (EngineRank rank = new EngineRank(device, 1);
                DeviceKernel kernel = device.compile(SOURCE, "spin");
                Graph graph = mine.capture(() -> mine.copy(source, target))) {
            PreparedLaunch launch = rank.prepare(1024);
            assertEquals(
                    0,
                    met(List.of(
                            i -> launch.enqueue(streams.get(i), false),
                            i -> kernel.launch(streams.get(i), 1, 32, 0, 0L),
                            i -> graph.launch(streams.get(i)),
                            i -> streams.get(i).copy(source, target))));
            streams.forEach(Stream::close);
        }
        source.close();
        target.close();
    }

    /** What was captured has not been done, so what is launched afterwards is the first work. */
    @Test
    void capturesAreNoWork() throws Exception {
        List<Stream> streams = adopted();
        try (DeviceKernel kernel = device.compile(SOURCE, "spin")) {
            List<Graph> graphs = streams.stream()
                    .map(stream -> stream.capture(() -> kernel.launch(stream, 1, 32, 0, 0L)))
                    .toList();
            assertEquals(0, met(List.of(i -> graphs.get((i + 1) % STREAMS).launch(streams.get(i)))));
            graphs.forEach(Graph::close);
        }
        streams.forEach(Stream::close);
    }
}
