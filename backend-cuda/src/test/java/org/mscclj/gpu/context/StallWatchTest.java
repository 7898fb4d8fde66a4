package org.mscclj.gpu.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.mscclj.api.error.BackendException;
import org.mscclj.backend.cuda.driver.CudaDriver;
import org.mscclj.backend.cuda.standin.StandIn;

/** A kernel has trapped, and the driver does not answer. */
@ResourceLock(StandIn.RESOURCE)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StallWatchTest {
    private static final int GPU = 1;
    private static final int STOPPED_PROCESSING = 43;
    private static final int LAUNCH_FAILED = 719;

    private final BlockingQueue<BackendException> told = new LinkedBlockingQueue<>();
    private DeviceContext context;
    private AutoCloseable listening;

    @BeforeEach
    void listen() {
        StandIn.use();
        context = DeviceContext.open(new Gpu(CudaDriver.INSTANCE, GPU));
        listening = context.whenLost(told::add);
    }

    @AfterEach
    void close() throws Exception {
        StandIn.xid(GPU, 0);
        StandIn.stall(GPU, false);
        listening.close();
        context.close();
        StandIn.fault(GPU, 0);
    }

    @Test
    void anErrorIsToldWhileTheDriverKeepsTheCall() throws InterruptedException {
        context.launched("a kernel that traps");
        StandIn.stall(GPU, true);
        StandIn.xid(GPU, STOPPED_PROCESSING);
        BackendException e = told.poll(60, TimeUnit.SECONDS);
        assertNotNull(e, "nothing was told");
        assertEquals("XID_43", e.symbol());
        assertEquals(STOPPED_PROCESSING, e.code());
        String message = String.valueOf(e.getMessage());
        assertTrue(message.contains("GPU 1 has failed: the kernel driver has reported XID_43"), message);
        assertTrue(message.contains("a kernel that traps"), message);

        StandIn.fault(GPU, LAUNCH_FAILED);
        StandIn.stall(GPU, false);
        BackendException again = told.poll(60, TimeUnit.SECONDS);
        assertNotNull(again, "the thread that was kept has told nothing");
        assertEquals(message, again.getMessage());
        assertTrue(context.isLost());
    }

    /** Another process on this GPU has caused it, or the error has harmed nothing. */
    @Test
    void anErrorIsNotToldWhileTheDriverAnswers() throws InterruptedException {
        StandIn.xid(GPU, STOPPED_PROCESSING);
        assertNull(told.poll(1, TimeUnit.SECONDS));
        assertFalse(context.isLost());
    }

    /** Loading code takes as long. */
    @Test
    void aStallIsNotToldWithoutAnError() throws InterruptedException {
        StandIn.stall(GPU, true);
        assertNull(told.poll(1, TimeUnit.SECONDS));
        assertFalse(context.isLost());
    }
}
