package org.mscclj.gpu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.mscclj.api.device.DeviceKernel;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.backend.cuda.driver.CudaDriver;
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.backend.cuda.standin.StandInGpu;

/** Communicators that may launch on one GPU, where they are more than it has hardware queues. */
@ResourceLock(StandIn.RESOURCE)
class SharedQueuesTest {
    private static final String PROPERTY = "mscclj.shared.queues";
    private static final String WAITS = "#include <mscclj/memorychannel.cuh>\n";
    private static final int QUEUES = CudaDriver.INSTANCE.traits().hardwareQueues();

    @RegisterExtension
    final StandInGpu gpu = new StandInGpu();

    private final List<EngineRank> communicators = new ArrayList<>();

    @BeforeEach
    void open() {
        System.clearProperty(PROPERTY);
    }

    @AfterEach
    void close() {
        System.clearProperty(PROPERTY);
        communicators.reversed().forEach(EngineRank::close);
    }

    private EngineRank communicator() {
        EngineRank rank = new EngineRank(gpu.device(), 1);
        communicators.add(rank);
        return rank;
    }

    /** One that may have a kernel that waits. */
    private EngineRank launching() {
        EngineRank rank = communicator();
        rank.prepare(256);
        return rank;
    }

    private void launching(int communicators) {
        for (int i = 0; i < communicators; i++) {
            launching();
        }
    }

    private static String reserved(EngineRank rank) {
        return ((GpuPlanContext) rank.context()).queue().reserved();
    }

    @Test
    void anyNumberMayShareQueuesUnlessTheUserSaysOtherwise() {
        launching(QUEUES - 1);
        assertFalse(reserved(communicators.getFirst()).contains("hardware queues"));
        launching();
        assertTrue(reserved(communicators.getFirst()).contains("use all " + QUEUES + " hardware queues"));
        launching();
        assertTrue(reserved(communicators.getFirst()).contains("more than all " + QUEUES + " hardware queues"));
    }

    @Test
    void whoWouldBeOneTooManyIsRefusedIfTheUserWantsThat() {
        System.setProperty(PROPERTY, "refuse");
        launching(QUEUES);
        communicators.getFirst().prepare(512);
        EngineRank oneMore = communicator();
        UnsupportedException refused = assertThrows(UnsupportedException.class, () -> oneMore.prepare(256));
        String message = String.valueOf(refused.getMessage());
        assertTrue(
                message.contains(QUEUES + " communicators and 0 streams with kernels of users have reserved " + QUEUES
                        + " blocks"),
                message);
        assertTrue(message.contains("use all " + QUEUES + " hardware queues of the GPU"), message);
        communicators.removeFirst().close();
        oneMore.prepare(256);
    }

    /** They have no kernels. */
    @Test
    void whoHasPreparedNothingDoesNotCount() {
        System.setProperty(PROPERTY, "refuse");
        for (int i = 0; i < QUEUES + 8; i++) {
            communicator();
        }
        launching(QUEUES);
        EngineRank idle = communicators.getFirst();
        assertThrows(UnsupportedException.class, () -> idle.prepare(256));
    }

    @Test
    void streamsWithKernelsThatWaitCountToo() {
        System.setProperty(PROPERTY, "refuse");
        launching(QUEUES - 1);
        Stream stream = gpu.createStream();
        Stream other = gpu.createStream();
        try (DeviceKernel kernel = gpu.device().compile(WAITS, "spin")) {
            kernel.launch(stream, 1, 64, 0, 0L);
            assertThrows(UnsupportedException.class, () -> kernel.launch(other, 1, 64, 0, 0L));
            EngineRank oneMore = communicator();
            assertThrows(UnsupportedException.class, () -> oneMore.prepare(256));
            kernel.launch(stream, 1, 64, 0, 0L);
        }
        launching();
    }

    @Test
    void whatMeansNothingIsToldOnceItMatters() {
        System.setProperty(PROPERTY, "Warn");
        launching(QUEUES + 1);
        System.setProperty(PROPERTY, "perhaps");
        InvalidArgumentException told = assertThrows(InvalidArgumentException.class, this::launching);
        assertEquals("MSCCLJ_SHARED_QUEUES is perhaps; allowed: warn or refuse", told.getMessage());
    }
}
