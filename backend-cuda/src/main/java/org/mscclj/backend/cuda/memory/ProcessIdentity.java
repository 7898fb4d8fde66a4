package org.mscclj.backend.cuda.memory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.UUID;
import org.mscclj.api.error.BackendException;

/** Tells processes that can pass each other file descriptors from all others: they run on the same boot of the same kernel, share its sockets, and belong to the same user. */
final class ProcessIdentity {
    private static final long PROCESS = new SecureRandom().nextLong();

    private ProcessIdentity() {}

    /** A random number, the same as long as this process lives. */
    static long process() {
        return PROCESS;
    }

    /** Equal in processes that can pass each other file descriptors. */
    static UUID reach() {
        return Reach.ID;
    }

    private static final class Reach {
        static final UUID ID = read();

        private static UUID read() {
            try {
                String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id"))
                        .strip();
                Path sockets = Files.readSymbolicLink(Path.of("/proc/self/ns/net"));
                Object user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
                return UUID.nameUUIDFromBytes((boot + sockets + user).getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new BackendException(
                        "it cannot be found out who shares this host, since /proc cannot be read; mount it, or use ranks in one"
                                + " process",
                        e);
            }
        }
    }
}
