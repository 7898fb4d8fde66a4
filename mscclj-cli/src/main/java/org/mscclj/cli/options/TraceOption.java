package org.mscclj.cli.options;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.mscclj.api.error.FileProblem;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.cli.report.TextTarget;
import org.mscclj.spi.trace.TraceFolder;
import picocli.CommandLine.Option;

/**
 * The option {@code --trace}. Ranks write their traces to a folder beside the file, and the file is assembled at the
 * end.
 */
public final class TraceOption {
    private static final String PARTS = ".parts";

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description = "Write a trace of all thread blocks as JSON, which ui.perfetto.dev and"
                    + " chrome://tracing display. Under"
                    + " another launcher the traces of the ranks stay in FILE"
                    + PARTS
                    + ", without a check that they are of one run: empty it before the next.")
    private Optional<TextTarget> file = Optional.empty();

    /** Called by picocli. */
    public TraceOption() {}

    /**
     * Runs ranks, and traces them if the option is given.
     *
     * @param isFirst whether no launcher has started this process as a rank, so that all ranks have ended when this
     *     process has run them
     * @throws InvalidArgumentException if the file cannot be written
     */
    public int around(boolean isFirst, IntSupplier ranks) {
        return file.map(into -> traced(into.file(), isFirst, ranks)).orElseGet(ranks::getAsInt);
    }

    private static int traced(Path into, boolean isFirst, IntSupplier ranks) {
        TraceFolder folder = new TraceFolder(Path.of(into + PARTS));
        if (isFirst) {
            requireEmpty(folder, into);
        }
        int code;
        try {
            code = traced(folder, ranks);
        } catch (RuntimeException | Error e) {
            try {
                mergeIf(isFirst, folder, into);
            } catch (RuntimeException failed) {
                e.addSuppressed(failed);
            }
            throw e;
        }
        mergeIf(isFirst, folder, into);
        return code;
    }

    private static int traced(TraceFolder folder, IntSupplier ranks) {
        String before = System.getProperty(TraceFolder.PROPERTY, "");
        System.setProperty(TraceFolder.PROPERTY, folder.path().toString());
        try {
            return ranks.getAsInt();
        } finally {
            System.setProperty(TraceFolder.PROPERTY, before);
        }
    }

    /** Checks that no traces of another run would be mixed with those of this one. */
    private static void requireEmpty(TraceFolder folder, Path into) {
        try {
            if (!folder.traces().isEmpty()) {
                throw new InvalidArgumentException("--trace is " + into + ", but " + folder.path()
                        + " holds traces of another run, which would be mixed with those of this one;"
                        + " delete them, or give another file");
            }
        } catch (IOException e) {
            throw new InvalidArgumentException(
                    "--trace is " + into + ", but " + folder.path() + " cannot be read: " + FileProblem.of(e));
        }
    }

    private static void mergeIf(boolean isFirst, TraceFolder folder, Path into) {
        if (isFirst) {
            merge(folder, into);
        }
    }

    private static void merge(TraceFolder folder, Path into) {
        try {
            folder.merge(into);
        } catch (IOException e) {
            throw new InvalidArgumentException(
                    "--trace is " + into + ", which cannot be written: " + FileProblem.of(e));
        }
    }
}
