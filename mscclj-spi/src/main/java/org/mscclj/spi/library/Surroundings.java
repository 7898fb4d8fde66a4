package org.mscclj.spi.library;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.mscclj.plan.folder.UserHome;

/**
 * The environment of a search.
 *
 * @param variables the environment
 * @param root the root of absolute places
 * @param home the user's folder
 */
record Surroundings(Map<String, String> variables, Path root, Path home) {
    Surroundings {
        variables = Map.copyOf(variables);
    }

    static Surroundings ofProcess() {
        return new Surroundings(System.getenv(), Path.of("/"), UserHome.ofProcess());
    }

    /** The value of a variable; empty if it is not set, or blank. */
    Optional<String> variable(String name) {
        return Optional.ofNullable(variables.get(name)).filter(value -> !value.isBlank());
    }
}
