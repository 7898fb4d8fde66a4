package org.mscclj.cli.debug;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.mscclj.api.error.PlainText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code mscclj debug dump}: prints the launches of processes of this host. */
@Command(
        name = "dump",
        header = "Print what the ranks of running processes have launched, as JSON.",
        description = {
            "",
            "Works for processes of this user on this host, even if they hang; reports a process that is stopped."
                    + " mscclj debug diff reads the output.",
            "",
            "Instead of a process, a recording of JDK Flight Recorder can be named, FILE.jfr, if it was made"
                    + " with settings=mscclj.jfc:",
            "  jcmd PID JFR.start settings=/FOLDER/mscclj.jfc",
            "  jcmd PID JFR.dump filename=/FOLDER/FILE.jfr",
            "  mscclj debug dump /FOLDER/FILE.jfr",
            "Then the last dump of each rank in the recording is printed.",
            ""
        })
public final class DumpCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Mixin
    private ProcessArguments processes = new ProcessArguments(", or a recording, FILE" + Recordings.SUFFIX);

    /** Called by picocli. */
    public DumpCommand() {}

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        if (processes.given().endsWith(Recordings.SUFFIX)) {
            Path file = Path.of(processes.given());
            out.println("[" + PlainText.lines(String.join(",\n", Recordings.read(spec, file))) + "]");
            out.flush();
            return 0;
        }
        boolean dumped = false;
        for (ProcessAnswer<String> answer : processes.ask(spec, ProcessAnswer::text)) {
            answer.answer()
                    .ifPresentOrElse(
                            text -> out.print(PlainText.lines(text)),
                            () -> err.println(
                                    PlainText.escape("process " + answer.process() + " " + answer.silence())));
            dumped |= answer.answer().isPresent();
        }
        out.flush();
        if (!dumped) {
            throw processes.nobody();
        }
        return 0;
    }
}
