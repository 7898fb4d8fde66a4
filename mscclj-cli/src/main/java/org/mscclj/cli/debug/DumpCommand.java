package org.mscclj.cli.debug;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.cli.options.Usage;
import org.mscclj.runtime.dump.DumpSocket;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
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
    private static final String ALL = "all";
    private static final String SUFFIX = ".sock";
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "PID", description = "A process, or all.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String process;

    /** For picocli. */
    public DumpCommand() {}

    @Override
    public Integer call() {
        if (!process.equals(ALL) && !process.matches("[0-9]+")) {
            throw Usage.wrong(spec, "PID is \"" + process + "\"; allowed: the number of a process, or all");
        }
        PrintWriter out = spec.commandLine().getOut();
        int dumped = 0;
        for (Path socket : sockets()) {
            ProcessDump dump = ProcessDump.of(socket, PATIENCE);
            dump.text().ifPresent(out::print);
            dumped += dump.text().isPresent() ? 1 : 0;
            if (dump.late()) {
                spec.commandLine()
                        .getErr()
                        .println("process " + ProcessDump.number(socket) + " has not answered within "
                                + PATIENCE.toSeconds() + " s; it may have been stopped");
            } else if (dump.text().isEmpty()) {
                spec.commandLine()
                        .getErr()
                        .println("process " + ProcessDump.number(socket) + " has said nothing; it has ended, or ends");
            }
        }
        out.flush();
        if (dumped == 0) {
            throw new UnsupportedException("no process of this user with an open communicator answers"
                    + (process.equals(ALL) ? "" : " by the number " + process)
                    + "; it must run on this host, with the same XDG_RUNTIME_DIR, and without " + DumpSocket.VARIABLE
                    + "=0");
        }
        return 0;
    }

    private List<Path> sockets() {
        try {
            Path folder = DumpSocket.folder(System.getenv());
            if (!process.equals(ALL)) {
                return List.of(folder.resolve(process + SUFFIX));
            }
            try (Stream<Path> files = Files.list(folder)) {
                return files.filter(file -> file.toString().endsWith(SUFFIX))
                        .sorted()
                        .toList();
            }
        } catch (IOException e) {
            throw new UnsupportedException("cannot look for processes: " + e);
        }
    }
}
