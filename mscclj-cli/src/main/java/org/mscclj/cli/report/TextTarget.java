package org.mscclj.cli.report;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.mscclj.api.error.InvalidArgumentException;

/** Where an option such as {@code --json} writes. */
public final class TextTarget {
    /** The target that is not a file. */
    public static final String STANDARD_OUTPUT = "-";

    private TextTarget() {}

    /**
     * Writes a text to a file, or to the standard output if the target is {@code -}.
     *
     * @throws InvalidArgumentException if it cannot be written
     */
    public static void write(String option, String target, String text, PrintWriter standardOutput) {
        if (target.equals(STANDARD_OUTPUT)) {
            standardOutput.print(text);
            standardOutput.flush();
            return;
        }
        try {
            Files.writeString(Path.of(target), text);
        } catch (IOException | InvalidPathException e) {
            throw new InvalidArgumentException(
                    option + " is " + target + ", which cannot be written: " + e
                            + "; name a file in a folder that exists",
                    e);
        }
    }
}
