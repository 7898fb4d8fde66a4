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
            description = "Where installed plans are. Default: what MSCCLJ_CACHE_DIR or MSCCLPP_CACHE_DIR names, else"
                    + " ~/.cache/mscclj/plans.")
    private Optional<String> given = Optional.empty();

    DirectoryOption() {}

    /**
     * The plans there.
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
