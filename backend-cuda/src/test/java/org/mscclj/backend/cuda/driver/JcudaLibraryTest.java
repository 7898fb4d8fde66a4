package org.mscclj.backend.cuda.driver;

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
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.context.Gpu;

class JcudaLibraryTest {
    private static final int VMS = 5;

    @TempDir
    Path folder;

    /** Uses JCuda at once. */
    static final class FirstUse {
        private FirstUse() {}

        public static void main(String[] arguments) {
            String temporary = System.getProperty("java.io.tmpdir");
            try (DeviceContext context = DeviceContext.open(new Gpu(CudaDriver.INSTANCE, 0))) {
                System.out.println(
                        context.name() + (temporary.equals(System.getProperty("java.io.tmpdir")) ? "" : " elsewhere"));
            }
        }
    }

    @BeforeAll
    static void requireStandIns() {
        StandIn.requireBuilt();
    }

    @Test
    void vmsThatStartAtOnceShareOneWholeFile() throws IOException {
        Path cache = Files.createDirectory(folder.resolve("cache"));
        Path temporary = Files.createDirectory(folder.resolve("tmp"));
        List<String> options = new ArrayList<>(ChildJvm.standIns());
        options.add("-Djava.io.tmpdir=" + temporary);
        List<ChildJvm> vms = new ArrayList<>();
        try {
            for (int i = 0; i < VMS; i++) {
                vms.add(new ChildJvm(FirstUse.class, options, Map.of("MSCCLJ_CACHE_DIR", cache.toString())));
            }
            for (ChildJvm vm : vms) {
                assertEquals("Stand-in", vm.hear());
            }
        } finally {
            vms.forEach(ChildJvm::close);
        }
        List<Path> files;
        try (Stream<Path> all = Files.walk(cache)) {
            files = all.filter(Files::isRegularFile).toList();
        }
        assertEquals(1, files.size(), files::toString);
        assertTrue(files.getFirst().endsWith("libJCudaDriver-12.6.0-linux-x86_64.so"), files::toString);
        try (Stream<Path> left = Files.list(temporary)) {
            assertEquals(
                    List.of(),
                    left.filter(file -> file.toString().endsWith(".so")).toList());
        }
    }

    @Test
    void aDamagedFileIsReplaced() throws IOException {
        Map<String, String> environment = Map.of("MSCCLJ_CACHE_DIR", folder.toString());
        Path file;
        for (int round = 0; round < 2; round++) {
            try (ChildJvm vm = new ChildJvm(FirstUse.class, ChildJvm.standIns(), environment)) {
                assertEquals("Stand-in", vm.hear());
            }
            try (Stream<Path> all = Files.walk(folder)) {
                file = all.filter(Files::isRegularFile).findFirst().orElseThrow();
            }
            assertTrue(Files.size(file) > 1_000_000);
            Files.write(file, new byte[100]);
        }
    }
}
