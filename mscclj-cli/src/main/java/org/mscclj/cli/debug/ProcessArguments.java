package org.mscclj.cli.debug;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.mscclj.api.error.FileProblem;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.cli.options.Usage;
import org.mscclj.runtime.dump.DumpSocket;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;

/** The arguments that name the running processes from which a command requests dumps. */
final class ProcessArguments {
    private static final String ALL = "all";
    private static final String SUFFIX = ".sock";
    private static final String NUMBER = "[0-9]{1,18}";

    @Parameters(index = "0", paramLabel = "PID", description = "A process, or all.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String process;

    private final String otherwise;

    /** Accepts processes only. */
    ProcessArguments() {
        this("");
    }

    /**
     * Accepts processes, and other arguments.
     *
     * @param otherwise a description of the other arguments, for messages
     */
    ProcessArguments(String otherwise) {
        this.otherwise = otherwise;
    }

    /** Returns the arguments that are no processes. */
    String given() {
        return process;
    }

    /** Requests the answer of each process in order, when the iterator reaches it. */
    <T> Iterable<ProcessAnswer<T>> ask(CommandSpec spec, ProcessAnswer.Reading<T> reading) {
        if (!process.equals(ALL) && !process.matches(NUMBER)) {
            throw Usage.wrong(spec, "PID is \"" + process + "\"; allowed: the number of a process, or all" + otherwise);
        }
        List<Path> sockets = sockets();
        return () -> sockets.stream()
                .map(socket -> ProcessAnswer.of(socket, ProcessAnswer.TIMEOUT, reading))
                .iterator();
    }

    private List<Path> sockets() {
        try {
            Path folder = DumpSocket.folder(System.getenv());
            if (!process.equals(ALL)) {
                return List.of(folder.resolve(process + SUFFIX));
            }
            try (Stream<Path> files = Files.list(folder)) {
                return files.filter(file -> file.getFileName().toString().matches(NUMBER + "\\" + SUFFIX))
                        .sorted()
                        .toList();
            }
        } catch (IOException e) {
            throw new UnsupportedException("cannot list processes: " + FileProblem.of(e));
        }
    }

    /** Creates the exception for the case that no process has answered. */
    UnsupportedException nobody() {
        return new UnsupportedException("no process of this user that has opened a communicator answers"
                + (process.equals(ALL) ? "" : " by the number " + process)
                + "; it must run on this host, with the same XDG_RUNTIME_DIR, and without " + DumpSocket.VARIABLE
                + "=0");
    }
}
