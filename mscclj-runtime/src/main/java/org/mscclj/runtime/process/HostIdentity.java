package org.mscclj.runtime.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Tells hosts apart: equal in processes of one host. The boot alone does not, since containers of one machine share it
 * and may not share memory; the name alone does not, since hosts may be named alike.
 */
final class HostIdentity {
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
    private static final Path NAME = Path.of("/proc/sys/kernel/hostname");

    private HostIdentity() {}

    /** That of this host: its name, and the boot of its kernel. */
    static String own() {
        return read(NAME, nameOfTheNetwork()) + " (boot " + read(BOOT, "unknown") + ")";
    }

    private static String read(Path file, String otherwise) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            return otherwise; // no Linux, or no /proc
        }
    }

    private static String nameOfTheNetwork() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }
}
