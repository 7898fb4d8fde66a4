package org.mscclj.gpu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.DeviceKernel;
import org.mscclj.api.device.Stream;
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.backend.cuda.standin.StandInGpu;
import org.mscclj.backend.cuda.standin.StandInKernels;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.engine.ForeignContext;
import org.mscclj.spi.engine.ForeignSpec;
import org.mscclj.spi.engine.ForeignWork;
import org.mscclj.spi.engine.LaunchOrder;
import org.mscclj.spi.engine.PreparedLaunch;

/** Work of another library that fails when a part of it is enqueued. */
@ResourceLock(StandIn.RESOURCE)
class FailedWorkTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @RegisterExtension
    final StandInGpu gpu = new StandInGpu();

    private final LaunchOrder order = new LaunchOrder();
    private BackendDevice device;
    private Stream failing;
    private Stream next;
    private ForeignContext context;
    private DeviceKernel kernel;
    private DeviceBuffer from;
    private DeviceBuffer to;

    @BeforeEach
    void open() {
        device = gpu.device();
        failing = gpu.createStream();
        next = gpu.createStream();
        kernel = device.compile("#include <mscclj/memorychannel.cuh>\n", "spin");
        from = device.allocate(64);
        to = device.allocate(64);
        context = device.planEngine()
                .open(new ForeignSpec("a library", 0, order, new AbortFlag(), Optional::empty, () -> {}));
    }

    @AfterEach
    void close() {
        StandInKernels.letEnd();
        context.close();
        kernel.close();
        from.close();
        to.close();
    }

    private void launch(ForeignWork work, Stream stream) {
        try (PreparedLaunch launch = context.prepare(work)) {
            long _ = launch.enqueue(stream, false);
            StandInKernels.letEnd();
            stream.synchronize(LIMIT);
        }
    }

    /** The next launch is on another stream. It takes the next ticket. */
    @Test
    void theNextLaunchFollowsThatPart() {
        StandInKernels.hold();
        try (PreparedLaunch half = context.prepare(stream -> {
                    kernel.launch(stream, 1, 32, 0, 0L);
                    throw new IllegalStateException("the second half is refused");
                });
                PreparedLaunch whole = context.prepare(stream -> stream.copy(from, to))) {
            assertThrows(IllegalStateException.class, () -> half.enqueue(failing, false));
            assertEquals(1, whole.enqueue(next, false));
            StandInKernels.release(0);
            assertFalse(whole.isEnded(1));
            StandInKernels.letEnd();
            next.synchronize(LIMIT);
            assertTrue(whole.isEnded(1));
        }
    }

    /** It has waited for that part: the one after it waits for it only. */
    @Test
    void laterLaunchesFollowTheNext() {
        ForeignWork copy = stream -> stream.copy(from, to);
        ForeignWork refused = _ -> {
            throw new IllegalStateException("it is refused");
        };
        assertThrows(IllegalStateException.class, () -> launch(refused, failing));
        assertThrows(IllegalStateException.class, () -> launch(refused, next));
        launch(copy, failing);
        launch(copy, next);
        assertEquals(2, order.taken());
    }
}
