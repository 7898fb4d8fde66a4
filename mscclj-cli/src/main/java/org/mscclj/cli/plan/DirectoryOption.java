package org.mscclj.cli.plan;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.plan.language.CompiledPlans;
import picocli.CommandLine.Option;

/** {@code --directory}: where installed plans are. */
final class DirectoryOption {
    @Option(
            names = "--directory",
            paramLabel = "D",
            description =
                    "Where installed plans are. Default: what MSCCLJ_CACHE_DIR names, else ~/.cache/mscclj/plans.")
    private Optional<String> given = Optional.empty();

    DirectoryOption() {}

    /**
     * The plans there.
     *
     * @throws InvalidArgumentException if it is not a folder
     */
    CompiledPlans plans() {
        return given.map(DirectoryOption::folder).map(CompiledPlans::in).orElseGet(CompiledPlans::ofUser);
    }

    private static Path folder(String name) {
        try {
            Path folder = Path.of(name);
            if (Files.exists(folder) && !Files.isDirectory(folder)) {
                throw InvalidArgumentException.of("--directory", name, "a folder, or the name of a new one");
            }
            return folder;
        } catch (InvalidPathException e) {
            throw new InvalidArgumentException("--directory is " + name + ", which is no path; allowed: a folder", e);
        }
    }
}
