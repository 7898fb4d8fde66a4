package org.mscclj.cli.debug;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.mscclj.api.error.FileProblem;
import org.mscclj.api.error.PlainText;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.cli.options.Usage;
import org.mscclj.runtime.dump.RecordedDumps;
import picocli.CommandLine.Model.CommandSpec;

/** Reads dumps from recordings of JDK Flight Recorder. */
final class Recordings {
    /** The extension of recordings. */
    static final String SUFFIX = ".jfr";

    private Recordings() {}

    /**
     * Returns the last dump of each rank in a recording as JSON, at least one. Prints a warning that names ranks whose
     * dump is incomplete.
     *
     * @throws picocli.CommandLine.ParameterException if there is no such file
     * @throws UnsupportedException if it cannot be read, or has no dump
     */
    static List<String> read(CommandSpec spec, Path file) {
        List<String> dumps;
        try {
            dumps = RecordedDumps.read(
                    file, what -> spec.commandLine().getErr().println(PlainText.escape("warning: " + what)));
        } catch (NoSuchFileException _) {
            throw Usage.wrong(
                    spec,
                    "there is no file " + file + "; name one that jcmd PID JFR.dump filename=" + file + " has made");
        } catch (IOException | RuntimeException e) {
            throw new UnsupportedException("cannot read a recording from " + file + ": " + FileProblem.of(e));
        }
        if (dumps.isEmpty()) {
            throw new UnsupportedException("the recording " + file + " has no dump of any rank (" + RecordedDumps.EVENT
                    + "); start it with settings=mscclj.jfc, in a process that has opened a communicator");
        }
        return dumps;
    }
}
