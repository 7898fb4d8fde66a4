package org.mscclj.gpu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.mscclj.api.device.Stream;
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.backend.cuda.standin.StandInGpu;
import org.mscclj.backend.cuda.standin.StandInKernels;

/** Which launches may begin early. The GPU has 4 multiprocessors, which hold 32 blocks of 64 threads each. */
@ResourceLock(StandIn.RESOURCE)
class EarlyLaunchTest {
    private static final long BYTES = 64;

    /** The word of the header whose last two bytes say whether the next launch may begin. */
    private static final int SHORTS = 96;

    private static final int LETS_NEXT_SHIFT = 48;

    @RegisterExtension
    final StandInGpu gpu = new StandInGpu();

    private Stream stream;

    @BeforeEach
    void open() {
        stream = gpu.createStream();
        System.clearProperty("mscclj.early.launch");
    }

    @AfterEach
    void forgetChoice() {
        System.clearProperty("mscclj.early.launch");
    }

    /** Whether a launch begins early; it lets the next one begin early only then. */
    private boolean isEarly(EngineRank rank) {
        rank.prepare(BYTES).enqueue(stream, false);
        StandInKernels.Launch launch = StandInKernels.launches().getLast();
        assertEquals(launch.early() ? 1 : 0, launch.word(SHORTS) >>> LETS_NEXT_SHIFT);
        return launch.early();
    }

    @Test
    void fusedBlocksBeginEarly() {
        try (EngineRank rank = EngineRank.ofPackets(gpu.device(), 1)) {
            assertTrue(isEarly(rank));
            StandInKernels.Launch launch = StandInKernels.launches().getLast();
            assertEquals(1, launch.blocks());
            assertEquals(stream.nativeHandle(), launch.stream());
        }
    }

    /** Their kernels do not wait for the kernels before them. */
    @Test
    void otherBlocksDoNot() {
        try (EngineRank rank = new EngineRank(gpu.device(), 1)) {
            assertFalse(isEarly(rank));
        }
    }

    @Test
    void theyCanBeSwitchedOff() {
        assertFalse(EngineSwitch.EARLY_LAUNCHES.isOn(true, Map.of("MSCCLJ_EARLY_LAUNCH", "0")));
        assertTrue(EngineSwitch.EARLY_LAUNCHES.isOn(true, Map.of()));
        System.setProperty("mscclj.early.launch", "0");
        try (EngineRank rank = EngineRank.ofPackets(gpu.device(), 1)) {
            assertFalse(isEarly(rank));
        }
    }

    /** Two launches are on the GPU at once, and three quarters of it stay free. */
    @Test
    void largeLaunchesDoNot() {
        try (EngineRank rank = EngineRank.ofPackets(gpu.device(), 16)) {
            assertTrue(isEarly(rank));
        }
        try (EngineRank rank = EngineRank.ofPackets(gpu.device(), 17)) {
            assertFalse(isEarly(rank));
        }
    }

    /** The smaller one may begin early, but not beside the larger one. */
    @Test
    void noneBeginsBesideALaunchThatReservesForItselfAlone() {
        try (EngineRank large = EngineRank.ofPackets(gpu.device(), 20);
                EngineRank small = EngineRank.ofPackets(gpu.device(), 4)) {
            assertFalse(isEarly(large));
            assertTrue(isEarly(small));
            assertFalse(isEarly(large));
        }
    }

    @Test
    void capacityIsReservedForTwo() {
        try (EngineRank rank = EngineRank.ofPackets(gpu.device(), 16);
                EngineRank other = new EngineRank(gpu.device(), 32);
                EngineRank third = EngineRank.ofPackets(gpu.device(), 1)) {
            assertTrue(isEarly(rank));
            assertFalse(isEarly(other));
            assertFalse(isEarly(third), "too little capacity is left for others");
            assertTrue(isEarly(rank), "capacity for two is reserved");
            assertEquals(
                    "3 communicators and 0 streams with kernels of users have reserved 65 blocks, of which each of the"
                            + " 4 multiprocessors holds 32 at once",
                    ((GpuPlanContext) third.context()).queue().reserved());
        }
    }
}
