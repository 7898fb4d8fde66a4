package org.mscclj.cli.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.mscclj.api.error.FileProblem;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.cli.report.TextTarget;
import org.mscclj.spi.trace.TraceFolder;
import picocli.CommandLine.Option;

/** {@code --trace}. Ranks leave their traces in a folder beside the file, of which it is made at the end. */
final class TraceOption {
    private static final String PARTS = ".parts";

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description = "Write what each thread block does, and when, as JSON that ui.perfetto.dev and"
                    + " chrome://tracing show. Under"
                    + " another launcher the parts of the ranks stay in FILE"
                    + PARTS
                    + ", where nobody looks whether they are of one run: empty it before the next.")
    private Optional<TextTarget> file = Optional.empty();

    /** For picocli. */
    TraceOption() {}

    /**
     * Runs ranks, traced if that is wanted.
     *
     * @param isFirst whether this process was not started as one of the ranks, so that all have ended when they have
     *     ended here
     * @throws InvalidArgumentException if the file cannot be written
     */
    int around(boolean isFirst, IntSupplier ranks) {
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

    /** What another run has left there must not be taken for a part of this one. */
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
