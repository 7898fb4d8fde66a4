package org.mscclj.runtime.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Identity of a host, equal in the processes of one host. It combines two values. The boot alone is not enough, since
 * containers of one machine share it and may not share memory; the name alone is not enough, since several hosts may
 * have one name.
 */
final class HostIdentity {
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
    private static final Path NAME = Path.of("/proc/sys/kernel/hostname");

    private HostIdentity() {}

    /** Returns the identity of this host: its name, and the boot of its kernel. */
    static String own() {
        return read(NAME, nameOfTheNetwork()) + " (boot " + read(BOOT, "unknown") + ")";
    }

    private static String read(Path file, String otherwise) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            return otherwise; // not on Linux, or without /proc
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
