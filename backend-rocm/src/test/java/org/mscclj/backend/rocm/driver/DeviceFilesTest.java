package org.mscclj.backend.rocm.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceFilesTest {
    @TempDir
    Path root;

    private DeviceFiles files;

    @BeforeEach
    void create() {
        files = new DeviceFiles(root);
    }

    private Path make(String name) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.createFile(file);
    }

    private static void close(Path file) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
        assumeFalse(Files.isReadable(file), "this user may open all files");
    }

    @Test
    void withoutKfdThereIsNoDriver() {
        assertFalse(files.mayHaveDriver());
        assertTrue(files.reason().startsWith("there is no " + root.resolve("dev/kfd") + ": load the kernel module"));
    }

    @Test
    void aContainerWithoutRenderNodes() throws IOException {
        make("dev/kfd");
        assertTrue(files.mayHaveDriver());
        String reason = "there is no render node in " + root.resolve("dev/dri")
                + "; give a container --device=/dev/kfd --device=/dev/dri";
        assertEquals(reason, files.reason());
        make("dev/dri/card0");
        assertEquals(reason, files.reason());
    }

    @Test
    void kfdThatMayNotBeOpened() throws IOException {
        close(make("dev/kfd"));
        assertTrue(files.reason().startsWith(root.resolve("dev/kfd") + " is there, but this user may not open it"));
    }

    @Test
    void renderNodesThatMayNotBeOpened() throws IOException {
        make("dev/kfd");
        close(make("dev/dri/renderD128"));
        assertTrue(files.reason().startsWith(root.resolve("dev/dri/renderD128") + " is there, but this user"));
    }

    @Test
    void withEverythingOpenItIsTheGpu() throws IOException {
        make("dev/kfd");
        make("dev/dri/renderD128");
        assertTrue(files.reason().startsWith("check rocminfo, HIP_VISIBLE_DEVICES"));
    }
}
