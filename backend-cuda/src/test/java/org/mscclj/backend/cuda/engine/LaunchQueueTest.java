package org.mscclj.backend.cuda.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.mscclj.api.device.Stream;
import org.mscclj.backend.cuda.CudaBackendProvider;
import org.mscclj.backend.cuda.UsedContexts;
import org.mscclj.backend.cuda.context.DeviceContext;
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.backend.cuda.stream.CudaStream;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.BackendOptions;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.engine.LaunchOrder;

/** How far launches are that tell nobody, as replays of graphs. */
@ResourceLock(StandIn.RESOURCE)
class LaunchQueueTest {
    private final LaunchOrder order = new LaunchOrder();
    private Map<StandIn.Kind, Long> before;
    private Backend backend;
    private BackendDevice device;
    private DeviceContext context;
    private Stream stream;
    private LaunchQueue queue;

    @BeforeAll
    static void useStandIn() {
        StandIn.use();
    }

    @BeforeEach
    void open() {
        before = StandIn.live();
        backend = new CudaBackendProvider().open(BackendOptions.threads());
        device = backend.openDevice(0);
        context = DeviceContext.open(0);
        stream = device.createStream();
        queue = new LaunchQueue(device, context, order, new AbortFlag());
    }

    @AfterEach
    void close() {
        StandIn.unready(0);
        queue.close();
        stream.close();
        context.close();
        device.close();
        backend.close();
        UsedContexts.forget();
        assertEquals(before, StandIn.live());
    }

    private void replay() {
        synchronized (queue) {
            queue.beginReplay(CudaStream.of(stream), true);
        }
    }

    @Test
    void replaysHaveEndedWhenAMarkBehindThemIsReached() {
        replay();
        replay();
        assertEquals(0, order.endedCount());
        order.look(); // sets the mark
        StandIn.unready(-1);
        order.look();
        assertEquals(0, order.endedCount(), "they are at work");
        StandIn.unready(0);
        order.look();
        assertEquals(2, order.endedCount());
    }

    @Test
    void oneAfterTheOtherEndsThoughTheStreamIsNeverIdle() {
        replay();
        order.look();
        replay();
        order.look();
        assertEquals(1, order.endedCount(), "the mark is behind the first");
        replay();
        order.look();
        assertEquals(2, order.endedCount());
    }

    @Test
    void replaysOfMessagesAreNotCountedAmongWhatAllRanksLaunch() {
        replay();
        synchronized (queue) {
            queue.beginReplay(CudaStream.of(stream), false);
        }
        assertEquals(2, order.taken());
        assertEquals(1, order.shared());
    }

    @Test
    void whatIsOnAClosedStreamHasEnded() {
        replay();
        stream.close();
        order.look();
        assertEquals(1, order.endedCount());
    }

    @Test
    void nobodyAsksAQueueThatIsClosed() {
        replay();
        queue.close();
        order.look();
        assertEquals(0, order.endedCount());
        queue = new LaunchQueue(device, context, order, new AbortFlag());
    }
}
