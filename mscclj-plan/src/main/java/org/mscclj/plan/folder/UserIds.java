package org.mscclj.plan.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** User ids of the operating system. */
final class UserIds {
    private static final String EFFECTIVE_USER = "Uid:";

    private UserIds() {}

    /** The effective user of this process. */
    static Optional<Integer> ofProcess() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
                if (line.startsWith(EFFECTIVE_USER)) {
                    return Optional.of(Integer.parseUnsignedInt(line.split("\\s+", -1)[2])); // real, effective, …
                }
            }
        } catch (IOException | NumberFormatException _) {
            return ownerOfHome(); // not Linux
        }
        return ownerOfHome();
    }

    private static Optional<Integer> ownerOfHome() {
        try {
            return Optional.of((Integer) Files.getAttribute(Path.of(System.getProperty("user.home")), "unix:uid"));
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /**
     * The id that stands for all users unknown to an unprivileged container. The host's superuser is one of them, and
     * owns the first directories of each path. Empty outside such a container, where the id belongs to a user.
     */
    static Optional<Integer> ofNoUser() {
        try {
            String[] known =
                    Files.readString(Path.of("/proc/self/uid_map")).strip().split("\\s+", -1);
            boolean all = known.length == 3 && known[0].equals("0") && known[1].equals("0");
            return all
                    ? Optional.empty()
                    : Optional.of(Integer.parseInt(Files.readString(Path.of("/proc/sys/kernel/overflowuid"))
                            .strip()));
        } catch (IOException | NumberFormatException _) {
            return Optional.empty(); // not Linux
        }
    }
}
