package org.mscclj.spi.memory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.mscclj.api.error.BackendException;

/**
 * Identifies processes that can share memory: they run on one boot of one kernel, belong to one user, and share a
 * namespace of the kind that their way of sharing needs. Safe for use by several threads.
 */
public final class ProcessIdentity {
    private static final long PROCESS = new SecureRandom().nextLong();
    private static final Map<Namespace, UUID> REACHES = new ConcurrentHashMap<>();

    /** The namespaces that containers may separate. */
    public enum Namespace {
        /** Process numbers, by which a process accesses files of another process. */
        PROCESS_NUMBERS("pid"),
        /** Networks, which include Unix sockets with abstract names. */
        NETWORK("net");

        private final String file;

        Namespace(String file) {
            this.file = file;
        }
    }

    private ProcessIdentity() {}

    /** A random number that is constant for the lifetime of this process. */
    public static long process() {
        return PROCESS;
    }

    /**
     * An id that is equal in processes that reach each other.
     *
     * @param namespace the kind that they must share
     * @throws BackendException if {@code /proc} cannot be read
     */
    public static UUID reach(Namespace namespace) {
        return REACHES.computeIfAbsent(namespace, ProcessIdentity::read);
    }

    private static UUID read(Namespace namespace) {
        try {
            String boot =
                    Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
            Path shared = Files.readSymbolicLink(Path.of("/proc/self/ns", namespace.file));
            Object user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
            return UUID.nameUUIDFromBytes((boot + shared + user).getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new BackendException(
                    "it cannot be found out which ranks share this host, since /proc cannot be read; mount it, or use"
                            + " ranks in one"
                            + " process",
                    e);
        }
    }
}
