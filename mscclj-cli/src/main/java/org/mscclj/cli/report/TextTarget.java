package org.mscclj.cli.report;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.mscclj.api.error.FileProblem;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * The target of an option such as {@code --json}.
 *
 * @param name a file, or {@code -} for the standard output
 */
public record TextTarget(String name) {
    /** The name of the standard output. */
    public static final TextTarget STANDARD_OUTPUT = new TextTarget("-");

    /**
     * Parses the value of an option, and checks that the file can be written. A command calls this before it measures.
     * Creates and changes nothing.
     *
     * @throws InvalidArgumentException if it cannot be written
     */
    public static TextTarget parse(String name) {
        TextTarget target = new TextTarget(name);
        if (!target.isStandardOutput()) {
            requireWritable(target.file());
        }
        return target;
    }

    private static void requireWritable(Path file) {
        Path parent = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file)) {
            throw new InvalidArgumentException("cannot write " + file + ", which is a folder; name a file");
        }
        if (Files.exists(file)) {
            if (!Files.isWritable(file)) {
                throw new InvalidArgumentException(
                        "cannot write " + file + ", since this user may not write it; name another file");
            }
        } else if (parent == null || !Files.isDirectory(parent)) {
            throw new InvalidArgumentException(
                    "cannot write " + file + ": there is no folder " + parent + "; create it, or name another file");
        } else if (!Files.isWritable(parent)) {
            throw new InvalidArgumentException("cannot write " + file + ": this user may not create files in " + parent
                    + "; name a file elsewhere");
        }
    }

    /** Whether the text goes to the standard output. */
    public boolean isStandardOutput() {
        return equals(STANDARD_OUTPUT);
    }

    /**
     * Returns the file.
     *
     * @throws InvalidArgumentException if the name is not valid on this system
     */
    public Path file() {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw new InvalidArgumentException(
                    "cannot write '" + name + "', which is no valid name of a file: " + e.getReason(), e);
        }
    }

    /**
     * Writes a text.
     *
     * @param option the option's name, for messages
     * @throws InvalidArgumentException if it cannot be written
     */
    public void write(String option, String text, PrintWriter standardOutput) {
        if (isStandardOutput()) {
            standardOutput.print(text);
            standardOutput.flush();
            return;
        }
        try {
            Files.writeString(file(), text);
        } catch (IOException e) {
            throw new InvalidArgumentException(
                    option + " is " + name + ", which cannot be written: " + FileProblem.of(e)
                            + "; name a file elsewhere",
                    e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
