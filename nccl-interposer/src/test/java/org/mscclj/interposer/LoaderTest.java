package org.mscclj.interposer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which NCCL the dynamic loader gives to programs, where another one is installed. */
class LoaderTest {
    private static final String INSTALLED = "1";
    private static final String OWN = "22809";

    @TempDir
    private static Path folder;

    @BeforeAll
    static void build() throws IOException, InterruptedException {
        InterposedProgram.require();
        compile("installed.c", "libnccl.so.2", "-shared", "-fPIC", "-Wl,-soname,libnccl.so.2");
        for (String kind : new String[] {"disable", "enable"}) {
            // the old kind of path has precedence over LD_LIBRARY_PATH; the new kind has not
            compile(
                    "framework.c",
                    kind + ".so",
                    "-shared",
                    "-fPIC",
                    "-Wl,--" + kind + "-new-dtags,-rpath,$ORIGIN",
                    folder.resolve("libnccl.so.2").toString());
        }
        compile("program.c", "program", "-ldl");
    }

    private static void compile(String source, String output, String... options)
            throws IOException, InterruptedException {
        InterposedProgram.compile(Path.of("src/test/loader", source), folder.resolve(output), options);
    }

    private static String output(boolean preloaded, String how, String file) throws IOException, InterruptedException {
        Map<String, String> variables = preloaded ? Map.of() : Map.of("LD_PRELOAD", "");
        InterposedProgram program = InterposedProgram.startOther(folder.resolve("program"), variables, how, file);
        assertEquals(0, program.await(), program::output);
        return program.output().strip();
    }

    /** A library that needs NCCL and says where it is: RPATH, as the wheels of PyTorch have it, and RUNPATH. */
    @ParameterizedTest
    @CsvSource({"disable, false, " + INSTALLED, "disable, true, " + OWN, "enable, true, " + OWN})
    void aLibraryThatNeedsNccl(String kind, boolean preloaded, String version)
            throws IOException, InterruptedException {
        assertEquals(
                version,
                output(preloaded, "framework", folder.resolve(kind + ".so").toString()));
    }

    /** As vLLM and CuPy load it. */
    @Test
    void ncclByItsName() throws IOException, InterruptedException {
        assertEquals(OWN, output(true, "nccl", "libnccl.so.2"));
    }

    /** A program that names a file gets that file. */
    @Test
    void ncclByItsPath() throws IOException, InterruptedException {
        assertEquals(
                INSTALLED, output(true, "nccl", folder.resolve("libnccl.so.2").toString()));
    }

    @Test
    void aUniqueIdOfTheOtherNcclIsRefused() throws IOException, InterruptedException {
        String output = output(true, "id", folder.resolve("libnccl.so.2").toString());
        assertTrue(output.startsWith("4 ") && output.contains("unique id"), output);
    }
}
