package org.mscclj.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.backend.cuda.standin.ChildJvm;
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.spi.Availability;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.BackendOptions;

/** Each case in a VM of its own, because the driver is looked for once. */
class CudaBackendProviderTest {
    /** Says what the provider says. */
    static final class Probe {
        private Probe() {}

        public static void main(String[] arguments) {
            CudaBackendProvider provider = new CudaBackendProvider();
            System.out.println(
                    switch (provider.probe()) {
                        case Availability.Available _ -> "available: " + provider.description();
                        case Availability.Unavailable(String reason) -> reason;
                    });
        }
    }

    /** Opens a GPU, for which JCuda's library is unpacked. */
    static final class Open {
        private Open() {}

        public static void main(String[] arguments) {
            try (Backend backend = new CudaBackendProvider().open(BackendOptions.threads());
                    BackendDevice device = backend.openDevice(0)) {
                System.out.println(device.index());
            }
        }
    }

    @BeforeAll
    static void requireStandIns() {
        StandIn.requireBuilt();
    }

    private static String probe(Map<String, String> environment, String... options) {
        List<String> all = new ArrayList<>(ChildJvm.standIns());
        all.addAll(List.of(options));
        try (ChildJvm jvm = new ChildJvm(Probe.class, all, environment)) {
            return jvm.hear();
        }
    }

    @Test
    void withEverythingItIsAvailable() {
        assertEquals("available: 2 NVIDIA GPUs, driver for CUDA 13.0, NVRTC 13.0", probe(Map.of()));
    }

    @Test
    void lookingForADriverWritesNothing(@TempDir Path cache) throws IOException {
        assertTrue(probe(Map.of("MSCCLJ_CACHE_DIR", cache.toString())).startsWith("available"));
        try (Stream<Path> files = Files.list(cache)) {
            assertEquals(List.of(), files.toList());
        }
    }

    @Test
    void aDamagedFileOfAnEarlierProcessIsNoObstacle(@TempDir Path cache) throws IOException {
        Map<String, String> environment = Map.of("MSCCLJ_CACHE_DIR", cache.toString());
        for (byte[] damage : new byte[][] {new byte[100], new byte[0]}) {
            try (ChildJvm vm = new ChildJvm(Open.class, ChildJvm.standIns(), environment)) {
                assertEquals("0", vm.hear());
            }
            assertTrue(probe(environment).startsWith("available"), "with the library that is there");
            Path library;
            try (Stream<Path> files = Files.walk(cache)) {
                library = files.filter(file -> file.toString().endsWith(".so"))
                        .findFirst()
                        .orElseThrow();
            }
            assertTrue(Files.size(library) > 1_000_000);
            Files.write(library, damage);
            assertTrue(probe(environment).startsWith("available"), "without it");
            assertEquals(damage.length, Files.size(library));
        }
    }

    @Test
    void withoutADriverItSaysWhatToInstall() {
        assertEquals(
                "libcuda.so.1 not found; install the NVIDIA driver, 535 (CUDA 12.2) or newer",
                probe(Map.of(), "-Dmscclj.cuda.library=/nowhere/libcuda.so.1"));
    }

    @Test
    void anOldDriverIsNamed() {
        assertEquals(
                "the NVIDIA driver is too old: it supports CUDA 11.8; install driver 535 (CUDA 12.2) or newer",
                probe(Map.of("STANDIN_VERSION", "11080")));
    }

    @Test
    void noGpuIsSaid() {
        assertTrue(probe(Map.of("STANDIN_DEVICES", "0")).startsWith("no NVIDIA GPU found"));
    }

    @Test
    void aDriverThatDoesNotStartGivesItsError() {
        String reason = probe(Map.of("STANDIN_INIT", "802"));
        assertTrue(reason.contains("cuInit gives CUDA_ERROR_SYSTEM_NOT_READY (code 802)"), reason);
    }

    @Test
    void anOlderDriverNeedsAnOlderCompiler() {
        String reason = probe(Map.of("STANDIN_VERSION", "12080"), "-Dmscclj.nvrtc.library=/nowhere/libnvrtc.so.12");
        assertTrue(reason.startsWith("NVRTC: libnvrtc.so.12 not found (looked at "), reason);
    }

    @Test
    void withoutNvrtcItSaysWhatToInstall() {
        String reason = probe(Map.of(), "-Dmscclj.nvrtc.library=/nowhere/libnvrtc.so.13");
        assertTrue(reason.startsWith("NVRTC: libnvrtc.so.13 or libnvrtc.so.12 not found (looked at "), reason);
    }
}
