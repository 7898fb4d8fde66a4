package org.mscclj.cli.selftest;

import java.net.URISyntaxException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The example plans. In a checkout and in the archive their folder lies above that of this command's jar. */
final class ExamplePlans {
    private static final Path PLANS = Path.of("examples", "plans");

    private ExamplePlans() {}

    /** Returns the folder; empty if the jar is elsewhere. */
    static Optional<Path> find() {
        @Nullable CodeSource source = ExamplePlans.class.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null) {
            return Optional.empty();
        }
        try {
            return above(Path.of(source.getLocation().toURI()));
        } catch (URISyntaxException | IllegalArgumentException | FileSystemNotFoundException e) {
            return Optional.empty(); // the location is no file
        }
    }

    private static Optional<Path> above(Path jar) {
        for (@Nullable Path folder = jar.getParent(); folder != null; folder = folder.getParent()) {
            Path plans = folder.resolve(PLANS);
            if (Files.isDirectory(plans)) {
                return Optional.of(plans);
            }
        }
        return Optional.empty();
    }
}
