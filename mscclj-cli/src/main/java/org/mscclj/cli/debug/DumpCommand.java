package org.mscclj.cli.debug;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints what processes of this host have launched. */
@Command(
        name = "dump",
        header = "Print what the ranks of running processes have launched, as JSON.",
        description = {
            "",
            "Works for processes of this user on this host, stuck ones too; of one that is stopped it says so. mscclj debug diff reads what is printed.",
            ""
        })
public final class DumpCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private AskedProcesses processes = new AskedProcesses();

    /** For picocli. */
    public DumpCommand() {}

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        boolean dumped = false;
        for (ProcessAnswer<String> answer : processes.ask(spec, ProcessAnswer::text)) {
            answer.said()
                    .ifPresentOrElse(
                            out::print, () -> err.println("process " + answer.process() + " " + answer.silence()));
            dumped |= answer.said().isPresent();
        }
        out.flush();
        if (!dumped) {
            throw processes.nobody();
        }
        return 0;
    }
}
