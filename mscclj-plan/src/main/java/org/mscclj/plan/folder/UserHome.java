package org.mscclj.plan.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The home directory of the effective user of this process: what a shell writes as {@code ~}. The system property
 * {@code user.home} alone does not suffice, since it comes from the user database, and containers often set another
 * one.
 */
public final class UserHome {
    private static final String VARIABLE = "HOME";

    private UserHome() {}

    /**
     * The directory that {@code HOME} names if it belongs to this user; otherwise the one in the user database. After
     * {@code sudo}, the variable may name another user's home.
     */
    public static Path ofProcess() {
        return of(System.getenv(), Path.of(System.getProperty("user.home", "/")), UserIds.ofProcess());
    }

    /** The result of {@link #ofProcess} for a user in an environment. */
    static Path of(Map<String, String> environment, Path inDatabase, Optional<Integer> user) {
        return named(environment.getOrDefault(VARIABLE, ""))
                .filter(folder -> folder.isAbsolute() && belongsTo(user, folder))
                .orElse(inDatabase);
    }

    private static Optional<Path> named(String text) {
        try {
            return Optional.of(text).filter(some -> !some.isBlank()).map(Path::of);
        } catch (InvalidPathException _) {
            return Optional.empty(); // not a path
        }
    }

    private static boolean belongsTo(Optional<Integer> user, Path folder) {
        try {
            return user.isPresent()
                    && Files.isDirectory(folder)
                    && user.get().equals(Files.getAttribute(folder, "unix:uid"));
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException _) {
            return false; // the owner is unknown
        }
    }
}
