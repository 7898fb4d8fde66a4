package org.mscclj.gpu.compile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.mscclj.api.error.BackendException;
import org.mscclj.backend.cuda.driver.CudaDriver;
import org.mscclj.backend.cuda.standin.Garbage;
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.gpu.cache.CacheDirectory;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.context.Gpu;
import org.mscclj.gpu.driver.RuntimeCompiler;

@ResourceLock(StandIn.RESOURCE)
class KernelCompilerTest {
    private static final String SOURCE = "__global__ void nothing() {}";

    @TempDir
    Path folder;

    private DeviceContext context;
    private int before;

    @BeforeAll
    static void useStandIn() {
        StandIn.use();
    }

    @BeforeEach
    void open() {
        context = DeviceContext.open(new Gpu(CudaDriver.INSTANCE, 0));
        before = StandIn.compiled();
    }

    @AfterEach
    void close() {
        context.close();
    }

    private KernelCompiler compiler() {
        return new KernelCompiler(CudaDriver.INSTANCE.compiler(), CacheDirectory.of(folder));
    }

    private int runs() {
        return StandIn.compiled() - before;
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    @Test
    void codeIsForTheArchitectureAndKeptInMemory() {
        KernelCompiler compiler = compiler();
        byte[] code = compiler.compile("nothing.cu", SOURCE, context.architecture());
        assertEquals(
                "CUBIN--gpu-architecture=sm_90 -std=c++17 -default-device " + SOURCE,
                new String(code, StandardCharsets.US_ASCII));
        Arrays.fill(code, (byte) 0);
        assertEquals('C', compiler.compile("nothing.cu", SOURCE, context.architecture())[0]);
        assertEquals(1, runs());
    }

    @Test
    void sourcesAreNotKept() throws InterruptedException {
        KernelCompiler compiler = compiler();
        Garbage.assertCollected(
                ofSourceThatWasCompiled(compiler),
                "the source of compiled code is kept: 60 KB and more, hundreds of times");
        compiler.compile("nothing.cu", SOURCE + " // compiled", context.architecture());
        assertEquals(1, runs());
    }

    private WeakReference<String> ofSourceThatWasCompiled(KernelCompiler compiler) {
        String source = SOURCE.concat(" // compiled");
        compiler.compile("nothing.cu", source, context.architecture());
        return new WeakReference<>(source);
    }

    @Test
    void codeIsKeptOnDisk() throws IOException {
        byte[] code = compiler().compile("nothing.cu", SOURCE, context.architecture());
        assertArrayEquals(code, compiler().compile("nothing.cu", SOURCE, context.architecture()));
        assertEquals(1, runs());
        assertEquals(1, files().size());
        compiler().compile("nothing.cu", SOURCE + " ", context.architecture());
        assertEquals(2, runs());
        assertEquals(2, files().size());
    }

    @Test
    void damagedFilesAreCompiledAgain() throws IOException {
        byte[] code = compiler().compile("nothing.cu", SOURCE, context.architecture());
        Path file = files().getFirst();
        byte[] whole = Files.readAllBytes(file);
        for (int length : new int[] {0, 10, 32, whole.length - 1}) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertArrayEquals(code, compiler().compile("nothing.cu", SOURCE, context.architecture()));
        }
        byte[] changed = whole.clone();
        changed[changed.length - 1] ^= 1;
        Files.write(file, changed);
        assertArrayEquals(code, compiler().compile("nothing.cu", SOURCE, context.architecture()));
        assertEquals(6, runs());
        assertArrayEquals(whole, Files.readAllBytes(file));
    }

    @Test
    void errorsHaveTheLog() throws IOException {
        BackendException error = assertThrows(
                BackendException.class, () -> compiler().compile("broken.cu", "#error no", context.architecture()));
        assertEquals("NVRTC_ERROR_COMPILATION", error.symbol());
        assertTrue(error.getMessage().contains("broken.cu does not compile with NVRTC 13.0"), error::getMessage);
        assertTrue(error.getMessage().contains("line 1: error: as the source says"), error::getMessage);
        assertEquals(List.of(), files());
    }

    @Test
    void aCacheThatCannotBeWrittenIsDoneWithout() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        byte[] code = new KernelCompiler(CudaDriver.INSTANCE.compiler(), CacheDirectory.of(file))
                .compile("nothing.cu", SOURCE, context.architecture());
        assertEquals('C', code[0]);
    }

    /** Another compiler, for which files of the stand-in's are of another version, or have other options. */
    private record Compiler(String name, List<String> more) implements RuntimeCompiler {
        @Override
        public Optional<String> unavailable() {
            return Optional.empty();
        }

        @Override
        public List<String> options(String architecture) {
            return Stream.concat(Stream.of("--gpu-architecture=" + architecture), more.stream())
                    .toList();
        }

        @Override
        public byte[] compile(String source, String text, List<String> options) {
            return (name + text + options).getBytes(StandardCharsets.UTF_8);
        }
    }

    @Test
    void allThatDecidesAboutTheCodeGivesAnotherEntry() throws IOException {
        int entries = 0;
        for (Compiler compiler : List.of(
                new Compiler("NVRTC 13.0", List.of()),
                new Compiler("NVRTC 13.1", List.of()),
                new Compiler("NVRTC 13.0", List.of("-std=c++20")))) {
            for (String source : List.of(SOURCE, SOURCE + "// a changed header")) {
                for (String architecture : List.of("sm_90", "sm_100")) {
                    for (int time = 0; time < 2; time++) {
                        byte[] code = new KernelCompiler(compiler, CacheDirectory.of(folder))
                                .compile("nothing.cu", source, architecture);
                        assertArrayEquals(compiler.compile("", source, compiler.options(architecture)), code);
                    }
                    entries++;
                    assertEquals(entries, files().size());
                }
            }
        }
    }
}
