package org.mscclj.gpu.module;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.mscclj.api.device.DeviceKernel;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.backend.cuda.standin.StandInGpu;
import org.mscclj.spi.device.BackendDevice;

/** Kernels of users, on the stand-in, whose one kernel is {@code add(int*, int)}. */
@ResourceLock(StandIn.RESOURCE)
class UserKernelTest {
    private static final String SOURCE = "#include \"mscclj/memorychannel.cuh\"\n";

    @RegisterExtension
    final StandInGpu gpu = new StandInGpu();

    private BackendDevice device;
    private Stream stream;
    private DeviceKernel kernel;

    @BeforeEach
    void open() {
        device = gpu.device();
        stream = gpu.createStream();
        kernel = device.compile(SOURCE, "add");
    }

    @AfterEach
    void close() {
        kernel.close();
        kernel.close();
    }

    @Test
    void aKernelSaysWhatItIs() {
        assertEquals("add", kernel.name());
        assertEquals(2, kernel.parameterCount());
        assertEquals(1024, kernel.maxThreads());
        assertEquals(4 * 4, kernel.maxBlocks(512, 0));
    }

    @Test
    void argumentsAreWords() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment sum = arena.allocate(ValueLayout.JAVA_INT);
            kernel.launch(stream, 3, 128, 0, sum.address(), -7L);
            assertEquals(-21, sum.get(ValueLayout.JAVA_INT, 0));
            MemorySegment prepared = arena.allocateFrom(ValueLayout.JAVA_LONG, sum.address(), 10);
            for (int i = 0; i < 5; i++) {
                kernel.launch(stream, 2, 128, 0, prepared);
            }
            assertEquals(79, sum.get(ValueLayout.JAVA_INT, 0));
        }
    }

    @Test
    void filesAreCompiledAgainWhenTheirHeadersChange(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("mine.cu"), "#include \"mine.cuh\"\n");
        Path header = Files.writeString(folder.resolve("mine.cuh"), "// one " + System.nanoTime() + "\n");
        int before = StandIn.compiled();
        for (int time = 1; time <= 2; time++) {
            for (int again = 0; again < 2; again++) {
                try (DeviceKernel own = device.compileNative("add", file)) {
                    assertEquals("add", own.name());
                }
                assertEquals(before + time, StandIn.compiled());
            }
            Files.writeString(header, "// two " + System.nanoTime() + "\n");
        }
        Files.delete(header);
        assertThrows(InvalidArgumentException.class, () -> device.compileNative("add", file));
    }

    @Test
    void launchesAreCaptured() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment sum = arena.allocate(ValueLayout.JAVA_INT);
            try (Graph graph = stream.capture(() -> kernel.launch(stream, 1, 1, 0, sum.address(), 1))) {
                assertEquals(0, sum.get(ValueLayout.JAVA_INT, 0));
                graph.launch(stream);
                graph.launch(stream);
                assertEquals(2, sum.get(ValueLayout.JAVA_INT, 0));
            }
        }
    }

    private InvalidArgumentException refused(Stream where, int blocks, int threads, MemorySegment arguments) {
        return assertThrows(InvalidArgumentException.class, () -> kernel.launch(where, blocks, threads, 0, arguments));
    }

    @Test
    void whatDoesNotFitIsRefusedBeforeTheDriverSeesIt() {
        try (Arena arena = Arena.ofConfined();
                BackendDevice other = gpu.backend().openDevice(1);
                Stream elsewhere = other.createStream()) {
            MemorySegment words = arena.allocate(16, 8);
            refused(stream, 0, 1, words);
            refused(stream, 1, 0, words);
            refused(stream, 1, 1025, words);
            InvalidArgumentException large = assertThrows(
                    InvalidArgumentException.class, () -> kernel.launch(stream, 1, 1, (48 << 10) - 15, words));
            assertTrue(String.valueOf(large.getMessage()).contains("0 to 49136"), large::getMessage);
            assertThrows(InvalidArgumentException.class, () -> kernel.launch(stream, 1, 1, -1, words));
            refused(elsewhere, 1, 1, words);
            InvalidArgumentException few = refused(stream, 1, 1, arena.allocate(8, 8));
            assertTrue(String.valueOf(few.getMessage()).contains("16 bytes of native memory"), few::getMessage);
            refused(stream, 1, 1, arena.allocate(24, 8));
            refused(stream, 1, 1, MemorySegment.ofArray(new long[2]));
            MemorySegment freed;
            try (Arena gone = Arena.ofConfined()) {
                freed = gone.allocate(16, 8);
            }
            refused(stream, 1, 1, freed);
            kernel.close();
            refused(stream, 1, 1, words);
        }
    }

    @Test
    void sourcesWithErrorsComeBackWithTheLog() {
        BackendException e = assertThrows(BackendException.class, () -> device.compile("#error no", "add"));
        assertTrue(String.valueOf(e.getMessage()).contains("as the source says"), e::getMessage);
    }

    @Test
    void functionsThatThereAreNotAreRefused() {
        InvalidArgumentException e =
                assertThrows(InvalidArgumentException.class, () -> device.compile(SOURCE, "subtract"));
        assertTrue(String.valueOf(e.getMessage()).contains("extern \"C\" __global__"), e::getMessage);
    }

    @Test
    void filesOfTheLibraryThatThereAreNotAreRefused() {
        assertThrows(InvalidArgumentException.class, () -> device.compile("#include \"mscclj/nothing.cuh\"\n", "add"));
    }
}
