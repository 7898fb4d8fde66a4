package org.mscclj.cli.options;

import java.io.PrintWriter;
import java.util.Optional;
import java.util.function.Supplier;
import org.mscclj.cli.report.TextTarget;
import picocli.CommandLine.Option;

/** The option {@code --json} of a measurement. */
public final class JsonOption {
    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Also write the results as JSON; - is the standard output, and moves the table to the"
                    + " standard error.")
    private Optional<TextTarget> target = Optional.empty();

    /** Called by picocli. */
    public JsonOption() {}

    /** Whether JSON is requested. */
    public boolean isGiven() {
        return target.isPresent();
    }

    /** Returns the stream for the table. */
    public PrintWriter table(PrintWriter out, PrintWriter err) {
        return target.filter(TextTarget::isStandardOutput).isPresent() ? err : out;
    }

    /**
     * Writes the results, if JSON is requested.
     *
     * @param results supplies the results; empty if there are none
     * @throws org.mscclj.api.error.InvalidArgumentException if they cannot be written
     */
    public void write(Supplier<Optional<String>> results, PrintWriter out) {
        target.ifPresent(to -> results.get().ifPresent(text -> to.write("--json", text, out)));
    }
}
