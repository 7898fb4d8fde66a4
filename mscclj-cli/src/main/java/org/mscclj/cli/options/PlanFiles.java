package org.mscclj.cli.options;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.mscclj.api.error.FileProblem;
import org.mscclj.api.error.InvalidArgumentException;

/** The plans that arguments such as those of {@code run} and {@code plan verify} name. */
public final class PlanFiles {
    private PlanFiles() {}

    /**
     * Files as they are, and of folders their {@code *.json} by name.
     *
     * @param except names of files, without their ending, that are left out
     * @throws InvalidArgumentException if one is not there, a folder has none, or no plan has a name that is left out
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

    /** What the user knows a plan by: its file's name without the ending. */
    public static String name(Path file) {
        return file.getFileName().toString().replaceFirst("\\.json$", "");
    }

    /**
     * Files as they are, and of folders their {@code *.json} by name.
     *
     * @throws InvalidArgumentException if one is not there, or a folder has none
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
