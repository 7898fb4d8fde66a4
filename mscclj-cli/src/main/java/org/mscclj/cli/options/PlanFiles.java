package org.mscclj.cli.options;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.mscclj.api.error.FileProblem;
import org.mscclj.api.error.InvalidArgumentException;

/** Resolves arguments that name plans, as those of {@code run} and {@code plan verify}. */
public final class PlanFiles {
    private PlanFiles() {}

    /**
     * Returns the given files, and the files {@code *.json} of the given folders, sorted by name.
     *
     * @param except names of files, without extension, to leave out
     * @throws InvalidArgumentException if a file does not exist, a folder has no plan, or no plan has one of the names
     *     to leave out
     */
    public static List<Path> of(List<Path> arguments, List<String> except) {
        List<Path> all = of(arguments);
        List<String> names = all.stream().map(PlanFiles::name).toList();
        for (String name : except) {
            if (!names.contains(name)) {
                throw InvalidArgumentException.of("--except", name, "the names of plans that are given: " + names);
            }
        }
        List<Path> left =
                all.stream().filter(file -> !except.contains(name(file))).toList();
        if (left.isEmpty()) {
            throw new InvalidArgumentException("--except is " + except + ", which leaves no plan to run; name fewer");
        }
        return left;
    }

    /** Returns the name of a plan: its file's name without the extension. */
    public static String name(Path file) {
        return file.getFileName().toString().replaceFirst("\\.json$", "");
    }

    /**
     * Returns the given files, and the files {@code *.json} of the given folders, sorted by name.
     *
     * @throws InvalidArgumentException if a file does not exist, or a folder has no plan
     */
    public static List<Path> of(List<Path> arguments) {
        List<Path> files = new ArrayList<>();
        for (Path argument : arguments) {
            if (Files.isDirectory(argument)) {
                files.addAll(inFolder(argument));
            } else if (Files.exists(argument)) {
                files.add(argument);
            } else {
                throw new InvalidArgumentException(argument
                        + ": there is no such file; name an execution plan, for example one of examples/plans");
            }
        }
        return files;
    }

    private static List<Path> inFolder(Path folder) {
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new InvalidArgumentException(
                    folder + ": cannot be read: " + FileProblem.of(e) + "; name a folder of plans", e);
        }
        if (files.isEmpty()) {
            throw new InvalidArgumentException(folder + ": there is no *.json in this folder; name a folder of plans");
        }
        return files;
    }
}
