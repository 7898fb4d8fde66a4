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

/** The arguments that name files with dumps. */
final class DumpFiles {
    @Spec(Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(
            arity = "1..*",
            paramLabel = "DUMPS",
            description = "Files with dumps of all ranks, or recordings of JDK Flight Recorder (FILE.jfr).")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private List<Path> files;

    /**
     * Reads the dumps of all files: at least one. A file that cannot be read, for example since its process was killed
     * while it wrote, is skipped with a warning.
     *
     * @throws picocli.CommandLine.ParameterException if a file does not exist, or no file has a dump
     */
    List<RecordedRank> read() {
        List<RecordedRank> records = new ArrayList<>();
        for (Path file : files) {
            try {
                for (String text : texts(file)) {
                    records.addAll(RankRecords.parse(text));
                }
            } catch (ParameterException e) {
                throw e; // the recording does not exist
            } catch (NoSuchFileException _) {
                throw Usage.wrong(
                        spec, "there is no file " + file + "; name files with the output of mscclj debug dump");
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
