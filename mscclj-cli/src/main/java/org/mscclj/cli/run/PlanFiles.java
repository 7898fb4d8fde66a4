package org.mscclj.cli.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.mscclj.api.error.InvalidArgumentException;

/** The files that arguments such as those of {@code run} name. */
public final class PlanFiles {
    private PlanFiles() {}

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
            throw new InvalidArgumentException(folder + ": cannot be read: " + e + "; name a folder of plans", e);
        }
        if (files.isEmpty()) {
            throw new InvalidArgumentException(folder + ": there is no *.json in this folder; name a folder of plans");
        }
        return files;
    }
}
