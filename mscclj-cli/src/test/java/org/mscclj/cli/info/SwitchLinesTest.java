package org.mscclj.cli.info;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the command says of switches between GPUs, by files of a system. */
class SwitchLinesTest {
    @TempDir
    private Path root;

    private void file(String name, String text) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private void gpus(int inKernel, int nodes) throws IOException {
        for (int gpu = 0; gpu < inKernel; gpu++) {
            file("proc/driver/nvidia/gpus/0000:0" + gpu + ":00.0/information", "");
        }
        for (int gpu = 0; gpu < nodes; gpu++) {
            file("dev/nvidia" + gpu, "");
        }
    }

    @Test
    void withoutGpusThereIsOneLine() {
        assertEquals(Map.of("NVIDIA GPUs", "the system shows none"), SwitchLines.of(root));
    }

    @Test
    void aHostInOrder() throws IOException {
        gpus(2, 2);
        file("dev/nvidia-nvswitch0", "");
        file("dev/nvidia-nvswitch1", "");
        file("dev/nvidia-nvswitchctl", "");
        file("dev/nvidia-caps-imex-channels/channel0", "");
        file("proc/77/comm", "nv-fabricmanage\n");
        file("proc/78/comm", "nvidia-imex\n");
        Map<String, String> lines = SwitchLines.of(root);
        assertEquals(
                List.of("NVIDIA GPUs", "NVSwitches", "fabric manager", "IMEX channels", "IMEX daemon"),
                List.copyOf(lines.keySet()));
        assertEquals("the kernel's driver has 2, and there are device nodes of 2", lines.get("NVIDIA GPUs"));
        assertEquals("2 with a device node", lines.get("NVSwitches"));
        assertEquals("runs, process 77", lines.get("fabric manager"));
        assertEquals("channel0", lines.get("IMEX channels"));
        assertEquals("runs, process 78", lines.get("IMEX daemon"));
    }

    @Test
    void aContainerWithoutItsNodes() throws IOException {
        gpus(8, 2);
        file("proc/1/comm", "bash\n");
        file("proc/devices", "Character devices:\n511 nvidia-caps-imex-channels\n");
        Map<String, String> lines = SwitchLines.of(root);
        assertTrue(lines.get("NVIDIA GPUs").contains("a container must be given"), lines::toString);
        assertTrue(lines.get("NVSwitches").startsWith("no device node"), lines::toString);
        assertTrue(lines.get("fabric manager").contains("systemctl status nvidia-fabricmanager"), lines::toString);
        assertTrue(lines.get("IMEX channels").contains("nvidia-modprobe -s -i 0:1"), lines::toString);
    }
}
