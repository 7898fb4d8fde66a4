package org.mscclj.backend.rocm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.api.Platform;
import org.mscclj.api.ProviderStatus;
import org.mscclj.backend.rocm.ffm.HipLibrary;
import org.mscclj.spi.Availability;

/** Each case in a VM of its own, because HIP is looked for once. */
class RocmBackendProviderTest {
    /** Says what the provider says. */
    static final class Probe {
        private Probe() {}

        public static void main(String[] arguments) {
            RocmBackendProvider provider = new RocmBackendProvider();
            System.out.println(
                    switch (provider.probe()) {
                        case Availability.Available _ -> "available: " + provider.description();
                        case Availability.Unavailable(String reason) -> reason;
                    });
        }
    }

    /** Says which backends the runtime can use, best first, of those of two vendors. */
    static final class Usable {
        private Usable() {}

        public static void main(String[] arguments) {
            System.out.println(Platform.instance().backends().stream()
                    .filter(status -> status.unavailable().isEmpty())
                    .map(ProviderStatus::name)
                    .toList());
        }
    }

    @TempDir
    private static Path folder;

    private static Path library;

    @BeforeAll
    static void build() throws IOException, InterruptedException {
        library = folder.resolve("libsmall.so");
        CommandLine.compile("-shared", "-fPIC", "-O1", "-o", library.toString(), "src/test/c/small_hip.c");
    }

    private static String probe(Map<String, String> environment, String... options)
            throws IOException, InterruptedException {
        return CommandLine.vm(Probe.class, environment, options);
    }

    private static String probeOfSmall(Map<String, String> environment) throws IOException, InterruptedException {
        return probe(environment, "-D" + HipLibrary.PROPERTY + "=" + library);
    }

    private static boolean isThereAGpu() {
        return Files.exists(Path.of("/dev/kfd"));
    }

    @Test
    void withoutTheDriverOfTheKernelNoLibraryIsLoaded() throws IOException, InterruptedException {
        assumeFalse(isThereAGpu(), "this machine has /dev/kfd");
        assertEquals(
                "no AMD GPU found: there is no /dev/kfd: load the kernel module amdgpu; give a container"
                        + " --device=/dev/kfd --device=/dev/dri",
                probe(Map.of()));
    }

    @Test
    void theRealLibraryFindsNoGpu() throws IOException, InterruptedException {
        RealHip.require();
        assumeFalse(isThereAGpu(), "this machine has /dev/kfd");
        String where = HipLibrary.missing().orElse("libamdhip64.so.5");
        String reason = probe(Map.of(), "-D" + HipLibrary.PROPERTY + "=" + where);
        assertTrue(reason.startsWith("no AMD GPU found: there is no /dev/kfd"), reason);
    }

    @Test
    void aMissingLibraryIsNamed() throws IOException, InterruptedException {
        String reason = probe(Map.of("MSCCLJ_HIP_LIB", "/nowhere/libamdhip64.so.6"));
        assertTrue(
                reason.startsWith("libamdhip64.so.7 or libamdhip64.so.6 or libamdhip64.so.5 cannot be loaded from where"
                        + " MSCCLJ_HIP_LIB says, /nowhere/libamdhip64.so.6;"),
                reason);
    }

    @Test
    void anOldVersionIsNamed() throws IOException, InterruptedException {
        assertEquals(
                "HIP is too old: its version is 5.5.30201; install ROCm 5.6 or newer",
                probeOfSmall(Map.of("SMALL_HIP_VERSION", "50530201")));
    }

    @Test
    void aStartThatFailsGivesItsError() throws IOException, InterruptedException {
        assertEquals(
                "HIP does not start: hipInit gives hipErrorSystemNotReady (code 802), text of the error; rocminfo may"
                        + " tell more",
                probeOfSmall(Map.of("SMALL_HIP_INIT", "802")));
    }

    @Test
    void noGpuIsSaid() throws IOException, InterruptedException {
        String reason = probeOfSmall(Map.of("SMALL_HIP_DEVICES", "0"));
        assertTrue(reason.startsWith("no AMD GPU found: "), reason);
    }

    @Test
    void withoutTheCompilerItSaysWhatToInstall() throws IOException, InterruptedException {
        String reason = probe(
                Map.of(),
                "-D" + HipLibrary.PROPERTY + "=" + library,
                "-Dmscclj.hiprtc.library=/nowhere/libhiprtc.so.6");
        assertTrue(reason.startsWith("hipRTC: libhiprtc.so.6 not found (looked at "), reason);
    }

    @Test
    void aTargetThatTheCompilerDoesNotKnowIsNamed() throws IOException, InterruptedException {
        assumeCompiler();
        String reason = probeWithCompiler(Map.of("SMALL_HIP_ARCHITECTURE", "gfx9999:xnack-"));
        assertTrue(reason.startsWith("GPU 0: hipRTC of HIP 6.3.42131 does not know gfx9999, but [gfx"), reason);
        assertTrue(
                reason.endsWith("; install a newer version of ROCm, or hide the GPU by HIP_VISIBLE_DEVICES"), reason);
    }

    @Test
    void withEverythingItIsAvailable() throws IOException, InterruptedException {
        assumeCompiler();
        assertEquals("available: 2 AMD GPUs, driver for HIP 6.3, hipRTC of HIP 6.3.42131", probeWithCompiler(Map.of()));
    }

    @Test
    void ofTwoVendorsTheRuntimeUsesTheOneThatTheMachineHas() throws IOException, InterruptedException {
        assumeCompiler();
        String noDriver = "-Dmscclj.cuda.library=/nowhere/libcuda.so.1";
        assertEquals(
                "[rocm]",
                CommandLine.vm(
                        Usable.class,
                        Map.of(),
                        noDriver,
                        "-D" + HipLibrary.PROPERTY + "=" + library,
                        "-Dmscclj.hiprtc.library=libamdhip64.so.5"));
        assertEquals(
                "[]",
                CommandLine.vm(
                        Usable.class,
                        Map.of("SMALL_HIP_DEVICES", "0"),
                        noDriver,
                        "-D" + HipLibrary.PROPERTY + "=" + library));
    }

    private static void assumeCompiler() {
        RealHip.require();
        assumeTrue(HipLibrary.has("hiprtcCompileProgram"), "hipRTC is not in the library of HIP that is installed");
    }

    private static String probeWithCompiler(Map<String, String> environment) throws IOException, InterruptedException {
        return probe(
                environment, "-D" + HipLibrary.PROPERTY + "=" + library, "-Dmscclj.hiprtc.library=libamdhip64.so.5");
    }
}
