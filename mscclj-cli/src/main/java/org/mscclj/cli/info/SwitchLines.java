package org.mscclj.cli.info;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What the files of a system show of NVIDIA's GPUs, of the switches between them, and of the services that NVLink
 * multicast needs. Calls no driver.
 */
final class SwitchLines {
    /** The kernel cuts the names of processes after 15 characters. */
    private static final String FABRIC_MANAGER = "nv-fabricmanage";

    private static final String IMEX = "nvidia-imex";
    private static final String CHANNELS = "nvidia-caps-imex-channels";

    private final Path root;

    private SwitchLines(Path root) {
        this.root = root;
    }

    /**
     * Returns the facts by their names; one that says so where no driver of NVIDIA is loaded.
     *
     * @param root the root folder, or one like it
     */
    static Map<String, String> of(Path root) {
        return new SwitchLines(root).lines();
    }

    private Map<String, String> lines() {
        Map<String, String> lines = new LinkedHashMap<>();
        int gpus = named("proc/driver/nvidia/gpus", ".+").size();
        int nodes = named("dev", "nvidia\\d+").size();
        if (gpus + nodes == 0) {
            lines.put("NVIDIA GPUs", "the system shows none");
            return lines;
        }
        lines.put(
                "NVIDIA GPUs",
                "the kernel's driver has " + gpus + ", and there are device nodes of " + nodes
                        + (nodes < gpus ? "; a container must be given those of all GPUs that it uses" : ""));
        int switches = named("dev", "nvidia-nvswitch\\d+").size();
        lines.put(
                "NVSwitches",
                switches > 0
                        ? switches + " with a device node"
                        : "no device node (/dev/nvidia-nvswitch0): none here, or outside of this container, or behind"
                                + " the fabric of Blackwell GPUs");
        lines.put("fabric manager", process(FABRIC_MANAGER, "systemctl status nvidia-fabricmanager"));
        lines.put("IMEX channels", channels());
        lines.put("IMEX daemon", process(IMEX, "systemctl status nvidia-imex; only NVLink between hosts needs it"));
        return lines;
    }

    private String process(String name, String otherwise) {
        return named("proc", "\\d+").stream()
                .filter(pid -> text("proc/" + pid + "/comm").strip().equals(name))
                .findFirst()
                .map(pid -> "runs, process " + pid)
                .orElse("not among the processes that are seen here; on the host: " + otherwise);
    }

    private String channels() {
        List<String> nodes = named("dev/" + CHANNELS, "channel\\d+");
        if (!nodes.isEmpty()) {
            return String.join(", ", nodes);
        }
        return text("proc/devices").contains(CHANNELS)
                ? "the kernel's driver has them, and there is no node in /dev/" + CHANNELS
                        + "; nvidia-modprobe -s -i 0:1 makes one on the host, which a container must be given"
                : "none; only NVLink between hosts needs them";
    }

    /** The names in a folder that match, sorted; none if there is no such folder. */
    private List<String> named(String folder, String pattern) {
        try (Stream<Path> entries = Files.list(root.resolve(folder))) {
            return entries.map(entry -> entry.getFileName().toString())
                    .filter(name -> name.matches(pattern))
                    .sorted()
                    .toList();
        } catch (IOException | UncheckedIOException _) { // missing, or not for this user
            return List.of();
        }
    }

    private String text(String file) {
        try {
            return Files.readString(root.resolve(file), StandardCharsets.ISO_8859_1);
        } catch (IOException _) { // as above; a process may have ended
            return "";
        }
    }
}
