package org.mscclj.cli.debug;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.mscclj.api.error.FileProblem;
import org.mscclj.api.error.PlainText;
import org.mscclj.api.error.UnsupportedException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code mscclj debug fr-trace}: writes dumps for PyTorch's {@code fr_trace}. */
@Command(
        name = "fr-trace",
        header = "Write dumps of several ranks as PyTorch's fr_trace reads them.",
        description = {
            "",
            "Each world rank gets a file, rank_ and its number; with dumps of several jobs, in a"
                    + " folder for each. Then run",
            "  python -m torch.distributed.flight_recorder.fr_trace FOLDER",
            "Sends and receives are written as calls of groups of two ranks. Operations that fr_trace does not know, such as puts and"
                    + " signals, are left out, with a note.",
            ""
        })
public final class FrTraceCommand implements Callable<Integer> {
    private static final String PREFIX = "rank_";

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Mixin
    private final DumpFiles dumps = new DumpFiles();

    @Option(
            names = "--output",
            paramLabel = "FOLDER",
            required = true,
            description = "The folder to write to; created if it does not exist.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path output;

    /** Called by picocli. */
    public FrTraceCommand() {}

    @Override
    public Integer call() {
        Map<String, List<RecordedRank>> jobs = RankRecords.latest(dumps.read()).stream()
                .collect(Collectors.groupingBy(RecordedRank::job, LinkedHashMap::new, Collectors.toList()));
        PrintWriter out = spec.commandLine().getOut();
        jobs.forEach((job, records) -> {
            Path folder = jobs.size() == 1 ? output : output.resolve(job);
            FrTrace trace = new FrTrace(records);
            Map<Integer, byte[]> files = trace.files();
            write(folder, files);
            trace.leftOut().forEach(what -> out.println(PlainText.escape("left out: " + what)));
            out.println(PlainText.escape(folder + ": ranks " + files.keySet()));
        });
        out.flush();
        return 0;
    }

    private static void write(Path folder, Map<Integer, byte[]> files) {
        try {
            Files.createDirectories(folder);
            for (Map.Entry<Integer, byte[]> file : files.entrySet()) {
                Files.write(folder.resolve(PREFIX + file.getKey()), file.getValue());
            }
        } catch (IOException e) {
            throw new UnsupportedException(
                    "cannot write to " + folder + ": " + FileProblem.of(e) + "; name a writable folder");
        }
    }
}
