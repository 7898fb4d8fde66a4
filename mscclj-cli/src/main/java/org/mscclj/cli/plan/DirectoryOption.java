package org.mscclj.cli.plan;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.language.CompiledPlans;
import picocli.CommandLine.Option;

/** The option {@code --directory}: the folder of installed plans. */
final class DirectoryOption {
    @Option(
            names = "--directory",
            paramLabel = "D",
            description = "Folder of installed plans. Default: that of MSCCLJ_CACHE_DIR or MSCCLPP_CACHE_DIR, else"
                    + " ~/.cache/mscclj/plans.")
    private Optional<String> given = Optional.empty();

    DirectoryOption() {}

    /**
     * Returns the folder of plans.
     *
     * @throws InvalidArgumentException if it is not a folder
     */
    CompiledPlans plans() {
        CompiledPlans plans =
                given.map(DirectoryOption::folder).map(CompiledPlans::in).orElseGet(CompiledPlans::ofUser);
        if (Files.exists(plans.directory()) && !Files.isDirectory(plans.directory())) {
            throw InvalidArgumentException.of(
                    given.isPresent() ? "--directory" : "MSCCLJ_CACHE_DIR or MSCCLPP_CACHE_DIR",
                    plans.directory(),
                    "a folder, or the name of a new one" + (given.isPresent() ? "" : "; --directory names another"));
        }
        return plans;
    }

    private static Path folder(String name) {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw new InvalidArgumentException("--directory is " + name + ", which is no path; allowed: a folder", e);
        }
    }
}
