package org.mscclj.cli.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.mscclj.api.error.FileProblem;
import org.mscclj.api.error.InvalidArgumentException;

/** The folder to which a command writes its results. */
public final class OutputFolder {
    private OutputFolder() {}

    /**
     * Creates the folder, and checks that it is writable. A command calls this before it measures.
     *
     * @param option the option's name, for messages
     * @throws InvalidArgumentException if it cannot be created, or is not writable
     */
    public static Path make(String option, Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new InvalidArgumentException(
                    option + " is " + folder + ", which cannot be created: " + FileProblem.of(e)
                            + "; name a writable folder",
                    e);
        }
        if (!Files.isWritable(folder)) {
            throw new InvalidArgumentException(
                    option + " is " + folder + ", where this user may not create files; name a writable folder");
        }
        return folder;
    }
}
