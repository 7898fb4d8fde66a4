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

/** The folder in which processes of one user on one host find each other's files. */
public final class RuntimeFolder {
    /** The environment variable that names the folder. */
    private static final String VARIABLE = "XDG_RUNTIME_DIR";

    private static final Set<PosixFilePermission> OF_OTHERS = PosixFilePermissions.fromString("----w--w-");

    private RuntimeFolder() {}

    /**
     * Returns the user's runtime directory if the environment names one that exists and belongs to this user. Otherwise
     * returns the folder for temporary files, which other users share. After {@code su} the environment may name
     * another user's directory.
     */
    public static Path of(Map<String, String> environment) {
        return all(environment).getFirst();
    }

    /**
     * Returns the folder of {@link #of}, and then the folder for temporary files, if they differ. Processes of one user
     * may be started with and without a runtime directory, for example by a desktop and by {@code ssh}.
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
            return false; // unknown owner; the folder for temporary files always exists
        }
    }
}
