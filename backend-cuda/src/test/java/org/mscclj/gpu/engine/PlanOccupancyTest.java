package org.mscclj.gpu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.backend.cuda.standin.StandInGpu;
import org.mscclj.backend.cuda.standin.StandInKernels;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.engine.PreparedLaunch;

/**
 * How many blocks plans get room for, on a GPU of 4 multiprocessors that hold 2,048 threads each: 16 blocks of 512
 * threads, 32 of 256, or 64 of 128.
 */
@ResourceLock(StandIn.RESOURCE)
class PlanOccupancyTest {
    @RegisterExtension
    final StandInGpu gpu = new StandInGpu();

    private Stream stream;
    private final List<AutoCloseable> opened = new ArrayList<>();

    @BeforeEach
    void open() {
        stream = gpu.createStream();
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : opened.reversed()) {
            one.close();
        }
    }

    private <T extends AutoCloseable> T opened(T one) {
        opened.add(one);
        return one;
    }

    private EngineRank communicator(int blocks) {
        return opened(new EngineRank(gpu.device(), blocks));
    }

    /** How many threads a block of a large launch gets. */
    private int threads(EngineRank rank) {
        PreparedLaunch launch = rank.prepare(rank.roundBytes());
        launch.enqueue(stream, false);
        return StandInKernels.launches().getLast().threads();
    }

    @Test
    void aRankThatIsAloneTakesTheWholeGpu() {
        assertEquals(512, threads(communicator(16)));
    }

    /** The tuner compares numbers of threads; more than the engine's limit are not launched. */
    @Test
    void plansLimitTheirThreads() {
        for (ShippedProgram program : List.of(ShippedProgram.SCRATCH, ShippedProgram.PACKETS)) {
            EngineRank few = EngineRank.ofThreads(gpu.device(), program, 2, 256);
            assertEquals(256, threads(few), program::label);
            EngineRank many = EngineRank.ofThreads(gpu.device(), program, 2, 1024);
            assertEquals(GpuPlanEngine.MAX_THREADS, threads(many), program::label);
            opened(few);
            opened(many);
        }
        assertEquals(GpuPlanEngine.MAX_THREADS, gpu.device().mostThreadsPerBlock());
    }

    @Test
    void whatDoesNotFitGetsFewerThreads() {
        assertEquals(256, threads(communicator(32)));
    }

    /** Half of the 9 warps that have work is 4 warps: a block with a part of a warp would move some lines twice. */
    @Test
    void blocksHaveWholeWarps() {
        int blocks = 32;
        EngineRank rank = EngineRank.ofPackets(gpu.device(), blocks);
        opened(rank).prepare(9L * 32 * 8 * blocks).enqueue(stream, false);
        assertEquals(128, StandInKernels.launches().getLast().threads());
    }

    @Test
    void thereIsAnEndToThat() {
        assertEquals(128, threads(communicator(64)));
        EngineRank second = communicator(1);
        assertThrows(UnsupportedException.class, () -> second.prepare(1024));
    }

    /** So that each finds room for several communicators. */
    @Test
    void ranksThatShareAGpuLeaveEachOtherTheirShare() {
        BackendDevice neighbour = opened(gpu.backend().openDevice(0));
        assertEquals(512, threads(communicator(2)));
        assertEquals(256, threads(communicator(4)));
        neighbour.close();
        assertEquals(512, threads(communicator(4)));
    }

    @Test
    void whatFindsNoRoomSaysWithFiguresWhyAndTakesNone() {
        EngineRank first = communicator(16);
        assertEquals(512, threads(first));
        EngineRank second = communicator(2);
        Map<StandIn.Kind, Long> before = StandIn.live();
        UnsupportedException none = assertThrows(UnsupportedException.class, () -> second.prepare(1 << 20));
        assertEquals(
                "plan allreduce_scratch_2ranks_2blocks, rank 0: no capacity for its 2 blocks on GPU 0, of which a"
                        + " multiprocessor holds 16 with 128 threads each:"
                        + " 1 communicator and 0 streams with kernels of users have reserved 16 blocks, of"
                        + " which each of the 4 multiprocessors holds 4 at once, and all must run at once, or they"
                        + " wait for ever; close communicators, or use plans of fewer blocks",
                none.getMessage());
        assertEquals(before.get(StandIn.Kind.PINNED), StandIn.live().get(StandIn.Kind.PINNED));
        assertEquals(512, threads(first), "what was reserved before still is");
        first.close();
        assertEquals(512, threads(second), "room of a communicator that is closed is given to others");
    }

    /** There is no bound for what a thread of them can do. */
    @Test
    void transfersGetAllThreadsThatFit() {
        try (EngineRank rank = EngineRank.ofMessages(gpu.device())) {
            rank.prepareMessages(1, 1 << 20).enqueue(stream, false);
            assertEquals(512, StandInKernels.launches().getLast().threads());
        }
    }

    /** Its kernels never run at once. */
    @Test
    void aCommunicatorReservesItsLargestKernelOnce() {
        EngineRank first = communicator(8);
        assertEquals(512, threads(first));
        assertEquals(512, threads(first));
        assertEquals(512, threads(communicator(8)));
    }
}
