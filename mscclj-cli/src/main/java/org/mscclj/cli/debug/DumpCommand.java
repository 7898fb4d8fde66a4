package org.mscclj.cli.debug;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.mscclj.api.error.PlainText;
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
            "Works for processes of this user on this host, stuck ones too; of one that is stopped it says so."
                    + " mscclj debug diff reads what is printed.",
            "",
            "In place of a process, a recording of JDK Flight Recorder can be named, FILE.jfr, if it was made"
                    + " with settings=mscclj.jfc:",
            "  jcmd PID JFR.start settings=/FOLDER/mscclj.jfc",
            "  jcmd PID JFR.dump filename=/FOLDER/FILE.jfr",
            "  mscclj debug dump /FOLDER/FILE.jfr",
            "Then the last dump is printed that the recording has of each rank of that process.",
            ""
        })
public final class DumpCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private AskedProcesses processes = new AskedProcesses(", or a recording, FILE" + Recordings.SUFFIX);

    /** For picocli. */
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
            answer.said()
                    .ifPresentOrElse(
                            text -> out.print(PlainText.lines(text)),
                            () -> err.println(
                                    PlainText.escape("process " + answer.process() + " " + answer.silence())));
            dumped |= answer.said().isPresent();
        }
        out.flush();
        if (!dumped) {
            throw processes.nobody();
        }
        return 0;
    }
}
