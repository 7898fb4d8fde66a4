package org.mscclj.runtime.settings;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Where processes of one user on one host find each other's files. */
public final class RuntimeFolder {
    /** The environment variable that names it. */
    private static final String VARIABLE = "XDG_RUNTIME_DIR";

    private RuntimeFolder() {}

    /** The user's runtime directory, if the environment names one that is there; else that for temporary files, which others use too. */
    public static Path of(Map<String, String> environment) {
        return Optional.ofNullable(environment.get(VARIABLE))
                .filter(name -> !name.isBlank())
                .map(Path::of)
                .filter(Files::isDirectory)
                .orElseGet(() -> Path.of(System.getProperty("java.io.tmpdir", "/tmp")));
    }
}
