package org.mscclj.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * One run of the command in this JVM.
 *
 * @param code the exit code
 * @param out the standard output
 * @param err the standard error
 */
public record CommandLineRun(int code, String out, String err) {
    /** The root of the repository. */
    public static final Path ROOT = root();

    /** Runs the command. */
    public static CommandLineRun of(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.execute(args, new PrintWriter(out), new PrintWriter(err));
        return new CommandLineRun(code, out.toString(), err.toString());
    }

    /**
     * Parses arguments as a run does, without running the command.
     *
     * @throws picocli.CommandLine.ParameterException if the command does not understand them
     */
    public static void parse(String... args) {
        Main.commandLine(new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()))
                .parseArgs(args);
    }

    /** A plan of examples/plans. */
    public static String example(String name) {
        return ROOT.resolve("examples/plans").resolve(name + ".json").toString();
    }

    /** The lines of the standard error. */
    public List<String> errors() {
        return err.lines().toList();
    }

    /** Returns the lines that report a failure. */
    public List<String> failures() {
        return failures(err);
    }

    /** Returns the lines of a text that report a failure. */
    static List<String> failures(String err) {
        return err.lines().filter(line -> line.startsWith("mscclj: ")).toList();
    }

    /** The lines of the table, without its header and footer. */
    public List<String> rows() {
        return out.lines().filter(line -> !line.startsWith("#")).toList();
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(folder.resolve("examples/plans"))) {
            folder = folder.getParent();
        }
        return folder;
    }
}
