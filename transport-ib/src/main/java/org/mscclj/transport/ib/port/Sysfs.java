package org.mscclj.transport.ib.port;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What the kernel tells about adapters in {@code /sys/class/infiniband}. Files that are missing are reported as absent:
 * containers often hide them.
 *
 * @param root the folder {@code /sys}, or one like it in tests
 */
record Sysfs(Path root) {
    static final Sysfs OF_MACHINE = new Sysfs(Path.of("/sys"));

    private static final String CLASS = "class/infiniband";

    /** Returns the folder of an adapter's device on its bus; its path names all bridges above it. */
    Optional<Path> device(String adapter) {
        try {
            return Optional.of(
                    root.resolve(CLASS).resolve(adapter).resolve("device").toRealPath());
        } catch (IOException _) { // a virtual adapter has none
            return Optional.empty();
        }
    }

    /** Returns the folder of a PCI device, by its address, for example {@code 0000:3b:00.0}. */
    Optional<Path> pciDevice(String address) {
        try {
            return Optional.of(root.resolve("bus/pci/devices").resolve(address).toRealPath());
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /** Returns the NUMA node of a device; empty if the machine has one node, or does not tell. */
    static OptionalInt numaNode(Path device) {
        Optional<String> text = read(device.resolve("numa_node"));
        if (text.isEmpty()) {
            return OptionalInt.empty();
        }
        try {
            int node = Integer.parseInt(text.get());
            return node < 0 ? OptionalInt.empty() : OptionalInt.of(node);
        } catch (NumberFormatException _) {
            return OptionalInt.empty();
        }
    }

    /** Returns the type of a GID, for example {@code RoCE v2}; empty if the entry is not used. */
    Optional<String> gidType(String adapter, int port, int index) {
        return read(root.resolve(CLASS).resolve(adapter).resolve("ports/" + port + "/gid_attrs/types/" + index));
    }

    private static Optional<String> read(Path file) {
        try {
            return Optional.of(Files.readString(file).strip());
        } catch (IOException _) { // an entry that is not used cannot be read
            return Optional.empty();
        }
    }
}
