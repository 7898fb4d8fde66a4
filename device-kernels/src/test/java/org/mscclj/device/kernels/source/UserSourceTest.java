package org.mscclj.device.kernels.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.error.InvalidArgumentException;

/** Kernels of users include files of the device library. */
class UserSourceTest {
    private static final String EVERYTHING = """
            # include <mscclj/memorychannel.cuh> // twice does no harm
            #include "mscclj/memorychannel.cuh"
            #include "mscclj/portchannel.cuh"
            #include "mscclj/semaphore.cuh"
            #include "mscclj/syncer.cuh"
            using namespace mscclj;
            extern "C" __global__ void everything(const MemoryChannel* memory, const PortChannel* port,
                                                  DeviceSyncer* syncer, DeviceSemaphore* semaphore, float* result) {
                int thread = blockIdx.x * blockDim.x + threadIdx.x;
                int threads = gridDim.x * blockDim.x;
                memory->put(0, 1, 100, thread, threads);
                memory->get(0, 1, 100, thread, threads);
                if (!syncer->sync(gridDim.x, port->abortWord()) || !semaphore->acquire(memory->abortWord())) {
                    return;
                }
                semaphore->release();
                *result = memory->read<float>(4);
                memory->write<char>(1, 'x');
                memory->write<short>(2, 3);
                memory->write<double>(8, memory->read<double>(16));
                memory->write<float4>(32, memory->read<float4>(48));
                memory->signal();
                memory->relaxedSignal();
                if (!memory->wait() || !memory->relaxedWait() || memory->poll() || memory->aborted()) {
                    return;
                }
                memory->putPackets<PacketType::LL8>(0, 0, 8, thread, threads, 1);
                memory->putPackets<PacketType::LL16>(0, 0, 8, thread, threads, 1);
                Words2 data;
                if (!memory->getPackets<PacketType::LL8>(0, 0, 8, thread, threads, 1)
                    || !memory->getPackets<PacketType::LL16>(0, 0, 8, thread, threads, 1)
                    || !memory->unpackPacket<PacketType::LL8>(0, 1, data)
                    || !memory->unpackPacket<PacketType::LL16>(0, 1, data)) {
                    return;
                }
                if (!port->put(0, 0, 1) || !port->signal() || !port->flush() || !port->putWithSignal(0, 0, 1)
                    || !port->putWithSignalAndFlush(0, 0, 1) || !port->wait() || port->poll() || port->aborted()) {
                    return;
                }
            }
            """;

    @Test
    void everyOperationCompiles(@TempDir Path folder) throws IOException, InterruptedException {
        String expanded = UserSource.of("everything.cu", EVERYTHING).text();
        assertEquals(-1, expanded.indexOf("#include \""), "compilers at run time see no folders");
        assertEquals("", Nvcc.compile(folder, expanded));
    }

    @ParameterizedTest
    @ValueSource(strings = {"copy", "memorychannel", "portchannel", "semaphore", "signals", "syncer", "value"})
    void everyFileIsSelfContained(String name, @TempDir Path folder) throws IOException, InterruptedException {
        String source = "#include \"mscclj/" + name + ".cuh\"\nextern \"C\" __global__ void nothing() {}\n";
        assertEquals("", Nvcc.compile(folder, UserSource.of("file.cu", source).text()));
    }

    @Test
    void theExampleOfTheDocumentCompiles(@TempDir Path folder) throws IOException, InterruptedException {
        String document = Files.readString(Path.of("../docs/device-channels.md"));
        int start = document.indexOf("```cuda\n") + "```cuda\n".length();
        String kernel = document.substring(start, document.indexOf("```", start));
        assertEquals(
                "", Nvcc.compile(folder, UserSource.of("neighbours.cu", kernel).text()));
    }

    @Test
    void theKernelsOfTheConformanceSuiteCompile(@TempDir Path folder) throws IOException, InterruptedException {
        Path kernels = Path.of("../conformance-tests/src/main/resources/org/mscclj/conformance/rank/kernel");
        for (String file : List.of("closed.cu", "exchange.cu", "window.cu")) {
            String source = Files.readString(kernels.resolve(file));
            assertEquals("", Nvcc.compile(folder, UserSource.of(file, source).text()));
        }
    }

    @Test
    void errorsNameTheLineOfTheUser(@TempDir Path folder) throws IOException, InterruptedException {
        String source = """

                #include "mscclj/memorychannel.cuh"
                __global__ void wrong() {
                    nothingOfThisName();
                }
                """;
        String said = Nvcc.compile(folder, UserSource.of("mine.cu", source).text());
        assertTrue(said.contains("mine.cu(4)"), said);
        assertTrue(said.contains("nothingOfThisName"), said);
    }

    @Test
    void sourcesWithoutIncludesStayAsTheyAre() {
        String source = "__global__ void nothing() {}\n#include <cuda_fp16.h>\n";
        assertEquals(
                "#line 1 \"mine.cu\"\n" + source,
                UserSource.of("mine.cu", source).text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"memorychannel", "portchannel", "semaphore", "syncer", "window"})
    void sourcesWithWaitsAreDetectedByTheirIncludes(String name) {
        assertTrue(UserSource.of("", "# include <mscclj/" + name + ".cuh> // mine\n")
                .mayWait());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "#include \"mscclj/copy.cuh\"\n", "#include <mscclj/value.cuh>\n", "// memorychannel.cuh\n"})
    void sourcesWithoutWaitsAreDetected(String source) {
        assertFalse(UserSource.of("", source).mayWait());
    }

    @Test
    void missingFileIsRefusedWithTheListOfFiles() {
        InvalidArgumentException e = assertThrows(
                InvalidArgumentException.class,
                () -> UserSource.of("mine.cu", "#include \"mscclj/nothing.cuh\"\n")
                        .text());
        assertTrue(String.valueOf(e.getMessage()).contains("mscclj/memorychannel.cuh"), e::getMessage);
    }

    private static Path write(Path folder, String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    @Test
    void headersAreFoundBesideTheFileThatIncludesThem(@TempDir Path folder) throws IOException {
        write(folder, "parts/sum.cuh", "#pragma once\n#include \"deep/one.cuh\"\nint sum;\n");
        write(folder, "parts/deep/one.cuh", "#include \"mscclj/syncer.cuh\"\nint one;\n");
        Path file =
                write(folder, "mine.cu", "int a;\n #include \"parts/sum.cuh\"\n#include \"parts/sum.cuh\"\nint b;\n");
        UserSource source = UserSource.of(file);
        String sum = """
                #ifndef MSCCLJ_ONCE_0
                #define MSCCLJ_ONCE_0
                #line 1 "parts/sum.cuh"

                #line 1 "parts/deep/one.cuh"
                """;
        assertTrue(source.text().startsWith("#line 1 \"mine.cu\"\nint a;\n" + sum), source::text);
        String end = """
                #line 2 "parts/deep/one.cuh"
                int one;
                #line 3 "parts/sum.cuh"
                int sum;
                #endif
                #line 4 "mine.cu"
                int b;
                """;
        assertTrue(source.text().endsWith(end), source::text);
        assertTrue(source.mayWait(), "by a header's include");
        Path elsewhere = write(folder, "elsewhere/mine.cu", Files.readString(file));
        write(folder, "elsewhere/parts/sum.cuh", Files.readString(folder.resolve("parts/sum.cuh")));
        write(folder, "elsewhere/parts/deep/one.cuh", Files.readString(folder.resolve("parts/deep/one.cuh")));
        assertEquals(source, UserSource.of(elsewhere), "the folder does not count");
    }

    @Test
    void aHeaderThatIncludesItselfEnds(@TempDir Path folder) throws IOException {
        write(folder, "self.cuh", "#pragma once\n#include \"self.cuh\"\nint self;\n");
        String text = UserSource.of(write(folder, "mine.cu", "#include \"self.cuh\"\n"))
                .text();
        assertEquals(text.indexOf("int self;"), text.lastIndexOf("int self;"));
    }

    @Test
    void missingHeadersAreNamed(@TempDir Path folder) throws IOException {
        Path file = write(folder, "mine.cu", "#include \"nothing.cuh\"\n");
        String said = assertThrows(InvalidArgumentException.class, () -> UserSource.of(file))
                .getMessage();
        assertTrue(said.contains("there is no " + folder.resolve("nothing.cuh")), said);
        assertTrue(said.contains("in a line of mine.cu that includes it, files beside that file"), said);
        Path missing = folder.resolve("missing.cu");
        said = assertThrows(InvalidArgumentException.class, () -> UserSource.of(missing))
                .getMessage();
        assertTrue(said.contains("there is no " + missing), said);
    }

    @Test
    void kernelsOfFilesCompile(@TempDir Path folder) throws IOException, InterruptedException {
        write(folder, "parts/sum.cuh", "#pragma once\n__device__ inline int sum(int a, int b) { return a + b; }\n");
        Path file = write(folder, "mine.cu", """
                #include "parts/sum.cuh"
                #include "mscclj/syncer.cuh"
                #include "parts/sum.cuh"
                extern "C" __global__ void add(int* to, int more) {
                    *to = sum(*to, more);
                }
                """);
        assertEquals("", Nvcc.compile(folder, UserSource.of(file).text()));
    }
}
