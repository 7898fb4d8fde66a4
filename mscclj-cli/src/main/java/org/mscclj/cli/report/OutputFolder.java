package org.mscclj.cli.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.mscclj.api.error.FileProblem;
import org.mscclj.api.error.InvalidArgumentException;

/** A folder that a command writes its results to. */
public final class OutputFolder {
    private OutputFolder() {}

    /**
     * Makes the folder, and looks whether files can be made in it: a command checks this before it measures anything.
     *
     * @param option for messages
     * @throws InvalidArgumentException if it cannot be made, or if this user may not write to it
     */
    public static Path make(String option, Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new InvalidArgumentException(
                    option + " is " + folder + ", which cannot be made: " + FileProblem.of(e)
                            + "; name a folder that can be written",
                    e);
        }
        if (!Files.isWritable(folder)) {
            throw new InvalidArgumentException(option + " is " + folder
                    + ", where this user may not make files; name a folder that can be written");
        }
        return folder;
    }
}
