package org.mscclj.backend.rocm.driver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The files through which a process reaches AMD GPUs. They tell why HIP finds none.
 *
 * @param root the folder that contains {@code dev}, which is {@code /} except in tests
 */
record DeviceFiles(Path root) {
    private static final String GROUPS =
            "this user may not open it: make the user a member of the groups render and video, and give a container"
                    + " --group-add with their numbers";

    private static final String CONTAINER = "; give a container --device=/dev/kfd --device=/dev/dri";

    /** Whether the kernel's driver is there, as far as this process may see. */
    boolean mayHaveDriver() {
        return Files.exists(root.resolve("dev/kfd"));
    }

    /** Why there is no GPU, with advice. */
    String reason() {
        Path kfd = root.resolve("dev/kfd");
        if (!Files.exists(kfd)) {
            return "there is no " + kfd + ": load the kernel module amdgpu" + CONTAINER;
        }
        if (!Files.isReadable(kfd) || !Files.isWritable(kfd)) {
            return kfd + " is there, but " + GROUPS;
        }
        Path folder = root.resolve("dev/dri");
        List<Path> nodes = renderNodes(folder);
        if (nodes.isEmpty()) {
            return "there is no render node in " + folder + CONTAINER;
        }
        List<Path> closed = nodes.stream()
                .filter(node -> !Files.isReadable(node) || !Files.isWritable(node))
                .toList();
        if (closed.size() == nodes.size()) {
            return closed.getFirst() + " is there, but " + GROUPS;
        }
        return "check rocminfo, HIP_VISIBLE_DEVICES and ROCR_VISIBLE_DEVICES, and that ROCm supports the GPU";
    }

    private static List<Path> renderNodes(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith("renderD"))
                    .sorted()
                    .toList();
        } catch (IOException _) {
            return List.of(); // it cannot be read, so it is of no use to HIP either
        }
    }
}
