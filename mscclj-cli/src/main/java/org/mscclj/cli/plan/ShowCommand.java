package org.mscclj.cli.plan;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.mscclj.cli.options.Usage;
import org.mscclj.plan.json.PlanReader;
import org.mscclj.plan.text.PlanPrinter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints a plan as text. */
@Command(name = "show", header = "Print a plan as text, by rank and thread block.", description = "")
public final class ShowCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "The execution plan.")
    @SuppressWarnings("NullAway.Init") // required
    private Path file;

    /** For picocli. */
    public ShowCommand() {}

    @Override
    public Integer call() {
        if (!Files.exists(file)) {
            throw Usage.wrong(spec, file + ": there is no such file; name an execution plan");
        }
        PrintWriter out = spec.commandLine().getOut();
        out.print(PlanPrinter.print(PlanReader.read(file)));
        out.flush();
        return 0;
    }
}
