package org.mscclj.cli.options;

import java.io.PrintWriter;
import java.util.Optional;
import java.util.function.Supplier;
import org.mscclj.cli.report.TextTarget;
import picocli.CommandLine.Option;

/** {@code --json} of a measurement. */
public final class JsonOption {
    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Also write the results as JSON; - is the standard output, and moves the table to the"
                    + " standard error.")
    private Optional<TextTarget> target = Optional.empty();

    /** For picocli. */
    public JsonOption() {}

    /** Whether JSON is asked for. */
    public boolean isGiven() {
        return target.isPresent();
    }

    /** Where the table belongs. */
    public PrintWriter table(PrintWriter out, PrintWriter err) {
        return target.filter(TextTarget::isStandardOutput).isPresent() ? err : out;
    }

    /**
     * Writes the results, if they are asked for.
     *
     * @param results makes them; empty if there are none
     * @throws org.mscclj.api.error.InvalidArgumentException if they cannot be written
     */
    public void write(Supplier<Optional<String>> results, PrintWriter out) {
        target.ifPresent(to -> results.get().ifPresent(text -> to.write("--json", text, out)));
    }
}
