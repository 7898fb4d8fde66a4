package org.mscclj.gpu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.mscclj.api.device.DeviceKernel;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.backend.cuda.standin.StandInGpu;
import org.mscclj.backend.cuda.standin.StandInKernels;
import org.mscclj.spi.device.BackendDevice;

/** Room for kernels of users, beside communicators, on a GPU that holds 16 blocks of 512 threads, or 8 of 1,024. */
@ResourceLock(StandIn.RESOURCE)
class UserKernelOccupancyTest {
    private static final String WAITS = "#include <mscclj/memorychannel.cuh>\n";
    private static final String WAITS_FOR_NOBODY = "#include <mscclj/copy.cuh>\n";

    @RegisterExtension
    final StandInGpu gpu = new StandInGpu();

    private BackendDevice device;
    private Stream stream;
    private Stream other;
    private Stream third;
    private DeviceKernel kernel;

    @BeforeEach
    void open() {
        device = gpu.device();
        stream = gpu.createStream();
        other = gpu.createStream();
        third = gpu.createStream();
        kernel = device.compile(WAITS, "spin");
    }

    @AfterEach
    void close() {
        kernel.close();
    }

    private UnsupportedException refused(DeviceKernel launched, Stream on, int blocks, int threads) {
        int before = StandInKernels.launches().size();
        UnsupportedException none =
                assertThrows(UnsupportedException.class, () -> launched.launch(on, blocks, threads, 0, 0L));
        assertEquals(before, StandInKernels.launches().size(), "nothing was launched");
        return none;
    }

    @Test
    void whatMayWaitFindsRoomAtOnceOnAllStreams() {
        kernel.launch(stream, 4, 512, 0, 0L);
        kernel.launch(stream, 8, 512, 0, 0L);
        kernel.launch(stream, 2, 512, 0, 0L);
        kernel.launch(other, 8, 512, 0, 0L);
        assertEquals(
                "kernel spin: no capacity for its 1 blocks of 512 threads and 0 bytes of dynamic shared memory on"
                        + " GPU 0, of which a multiprocessor holds 4:"
                        + " 0 communicators and 2 streams with kernels of users have reserved 16 blocks, of"
                        + " which each of the 4 multiprocessors holds 4 at"
                        + " once, and all that may wait must run at once, or they wait for ever; launch fewer"
                        + " blocks, or close communicators, kernels or"
                        + " streams",
                refused(kernel, third, 1, 512).getMessage());
        refused(kernel, stream, 9, 512);
        kernel.launch(stream, 8, 512, 0, 0L);
        other.close();
        kernel.launch(third, 8, 512, 0, 0L);
    }

    @Test
    void oneKernelMoreThanFitsIsRefused() {
        kernel.launch(stream, 16, 512, 0, 0L);
        try (DeviceKernel second = device.compile(WAITS, "spin")) {
            refused(second, stream, 1, 512);
            kernel.close();
            second.launch(stream, 16, 512, 0, 0L);
        }
    }

    /** Where a block of any kernel must find room, the largest blocks decide. */
    @Test
    void largeBlocksLeaveRoomForFewer() {
        kernel.launch(stream, 4, 512, 0, 0L);
        kernel.launch(stream, 4, 1024, 0, 0L);
        refused(kernel, other, 5, 512);
        kernel.launch(stream, 5, 512, 0, 0L);
        refused(kernel, other, 4, 512);
        kernel.launch(other, 3, 512, 0, 0L);
    }

    @Test
    void kernelsThatWaitForNobodyReserveNothing() {
        try (DeviceKernel copies = device.compile(WAITS_FOR_NOBODY, "spin")) {
            copies.launch(stream, 1000, 512, 0, 0L);
            kernel.launch(other, 16, 512, 0, 0L);
            copies.launch(third, 1000, 512, 0, 0L);
        }
    }

    @Test
    void capturedLaunchesReserveToo() {
        try (Graph graph = stream.capture(() -> kernel.launch(stream, 16, 512, 0, 0L))) {
            refused(kernel, other, 1, 512);
            graph.launch(stream);
        }
    }

    @Test
    void communicatorsAndKernelsShareTheGpu() {
        kernel.launch(stream, 14, 512, 0, 0L);
        try (EngineRank rank = new EngineRank(device, 4)) {
            UnsupportedException none = assertThrows(UnsupportedException.class, () -> rank.prepare(1 << 20));
            assertTrue(
                    String.valueOf(none.getMessage()).contains("1 stream with kernels of users have reserved 14"),
                    none::getMessage);
            kernel.close();
            rank.prepare(1 << 20).enqueue(stream, false);
            try (DeviceKernel next = device.compile(WAITS, "spin")) {
                refused(next, stream, 13, 512);
                next.launch(stream, 12, 512, 0, 0L);
            }
        }
    }

    /** Other software's streams are adopted by whoever needs them. */
    @Test
    void aStreamThatIsAdoptedTwiceIsOne() {
        try (Stream once = device.adoptStream(stream.nativeHandle());
                Stream twice = device.adoptStream(stream.nativeHandle())) {
            kernel.launch(once, 16, 512, 0, 0L);
            kernel.launch(twice, 16, 512, 0, 0L);
        }
        kernel.launch(other, 16, 512, 0, 0L);
    }

    @Test
    void whatIsReservedForAnAdoptedStreamStaysUntilItsLastCloses() {
        try (Stream twice = device.adoptStream(stream.nativeHandle())) {
            try (Stream once = device.adoptStream(stream.nativeHandle())) {
                kernel.launch(once, 16, 512, 0, 0L);
                kernel.launch(twice, 1, 512, 0, 0L);
            }
            refused(kernel, other, 1, 512);
        }
        kernel.launch(other, 16, 512, 0, 0L);
    }
}
