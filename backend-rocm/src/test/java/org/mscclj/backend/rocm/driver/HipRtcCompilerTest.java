package org.mscclj.backend.rocm.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.backend.rocm.RealHip;
import org.mscclj.backend.rocm.code.CodeObject;
import org.mscclj.backend.rocm.code.Parameter;
import org.mscclj.gpu.driver.RuntimeCompiler;

/** Compiles by the real hipRTC, without an AMD GPU. */
class HipRtcCompilerTest {
    private static final RuntimeCompiler COMPILER = HipRtcCompiler.INSTANCE;

    private static final String SOURCE = """
            struct Pair { long first; long second; };
            extern "C" __global__ void store(int* out, int value, char more, Pair pair) {
                out[threadIdx.x] = value + more + (int)pair.second;
            }
            extern "C" __global__ void nothing() {}
            """;

    @BeforeAll
    static void requireLibrary() {
        RealHip.require();
    }

    private static byte[] compile(String source, String target) {
        return COMPILER.compile("test.hip", source, COMPILER.options(target));
    }

    @Test
    void codeIsAnElfFileThatSaysWhichParametersKernelsHave() {
        byte[] code = compile(SOURCE, "gfx90a");
        assertEquals("ELF", new String(code, 1, 3, java.nio.charset.StandardCharsets.US_ASCII));
        Map<String, List<Parameter>> parameters = CodeObject.parameters(code);
        assertEquals(
                Map.of(
                        "store",
                        List.of(new Parameter(0, 8), new Parameter(8, 4), new Parameter(12, 1), new Parameter(16, 16)),
                        "nothing",
                        List.of()),
                parameters);
    }

    @Test
    void codeForWavesOf32Threads() {
        assertTrue(compile(SOURCE, "gfx1030").length > 0);
    }

    @Test
    void anErrorComesWithTheLog() {
        BackendException error = assertThrows(BackendException.class, () -> compile("nonsense", "gfx90a"));
        assertTrue(error.getMessage().contains("unknown type name 'nonsense'"), error::getMessage);
        assertTrue(error.getMessage().contains("--offload-arch=gfx90a"), error::getMessage);
        assertEquals("HIPRTC_ERROR_COMPILATION", error.symbol());
    }

    /** hipRTC would end the process. */
    @Test
    void anUnknownTargetIsRefused() {
        UnsupportedException error = assertThrows(UnsupportedException.class, () -> compile(SOURCE, "gfx9999"));
        assertTrue(error.getMessage().contains("does not know gfx9999, but [gfx"), error::getMessage);
    }

    @Test
    void theNameHasTheVersionOfHip() {
        assertTrue(COMPILER.name().matches("hipRTC of HIP \\d+\\.\\d+\\.\\d+"), COMPILER::name);
    }
}
