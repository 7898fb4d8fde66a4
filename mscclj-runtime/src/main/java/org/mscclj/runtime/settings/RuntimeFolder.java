package org.mscclj.runtime.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Where processes of one user on one host find each other's files. */
public final class RuntimeFolder {
    /** The environment variable that names it. */
    private static final String VARIABLE = "XDG_RUNTIME_DIR";

    private static final Set<PosixFilePermission> OF_OTHERS = PosixFilePermissions.fromString("----w--w-");

    private RuntimeFolder() {}

    /**
     * The user's runtime directory, if the environment names one that is there and belongs to this user; else that for
     * temporary files, which others use too. After {@code su} the environment may name another user's.
     */
    public static Path of(Map<String, String> environment) {
        return all(environment).getFirst();
    }

    /**
     * The same, and then that for temporary files, if they differ: processes of one user may be started with and
     * without a runtime directory, by a desktop and by {@code ssh}, say.
     */
    public static List<Path> all(Map<String, String> environment) {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir", "/tmp"));
        Optional<Path> named = Optional.ofNullable(environment.get(VARIABLE))
                .filter(name -> !name.isBlank())
                .map(Path::of)
                .filter(RuntimeFolder::belongsToThisUser);
        return Stream.concat(named.stream(), Stream.of(temporary)).distinct().toList();
    }

    private static boolean belongsToThisUser(Path folder) {
        try {
            return Files.isDirectory(folder)
                    && Files.getAttribute(folder, "unix:uid")
                            .equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))
                    && Collections.disjoint(Files.getPosixFilePermissions(folder), OF_OTHERS);
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return false; // it cannot be known, and the folder for temporary files is always there
        }
    }
}
