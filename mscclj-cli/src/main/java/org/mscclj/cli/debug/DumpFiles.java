package org.mscclj.cli.debug;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.error.FileProblem;
import org.mscclj.api.error.PlainText;
import org.mscclj.cli.options.Usage;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The dumps that a command is given. */
final class DumpFiles {
    @Spec(Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(
            arity = "1..*",
            paramLabel = "DUMPS",
            description = "Files with dumps of all ranks, or recordings of JDK Flight Recorder (FILE.jfr).")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private List<Path> files;

    /**
     * What they say of ranks, at least of one. What cannot be read, as what a process has left that was killed while it
     * wrote, is left out, with a warning.
     *
     * @throws picocli.CommandLine.ParameterException if one is not there, or there is nothing in them
     */
    List<RankRecord> read() {
        List<RankRecord> records = new ArrayList<>();
        for (Path file : files) {
            try {
                for (String text : texts(file)) {
                    records.addAll(RankRecords.parse(text));
                }
            } catch (ParameterException e) {
                throw e; // a recording that is not there
            } catch (NoSuchFileException _) {
                throw Usage.wrong(spec, "there is no file " + file + "; name files with what mscclj debug dump prints");
            } catch (IOException | RuntimeException e) {
                spec.commandLine()
                        .getErr()
                        .println(PlainText.escape(
                                "left out: cannot read a dump from " + file + ": " + FileProblem.of(e)));
            }
        }
        if (records.isEmpty()) {
            throw Usage.wrong(spec, "there is no dump of any rank in " + files);
        }
        return records;
    }

    private List<String> texts(Path file) throws IOException {
        return file.toString().endsWith(Recordings.SUFFIX)
                ? Recordings.read(spec, file)
                : List.of(Files.readString(file));
    }
}
