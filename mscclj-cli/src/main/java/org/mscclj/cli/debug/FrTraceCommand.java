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

/** Writes dumps for PyTorch's analyser. */
@Command(
        name = "fr-trace",
        header = "Write dumps of several ranks as PyTorch's fr_trace reads them.",
        description = {
            "",
            "Each rank of the world gets a file, named rank_ and its number; with dumps of several jobs, in a"
                    + " folder for each. Then run",
            "  python -m torch.distributed.flight_recorder.fr_trace FOLDER",
            "Messages are written as calls of groups of two ranks. What fr_trace has no name for, as puts and"
                    + " signals, is left out, which is said.",
            ""
        })
public final class FrTraceCommand implements Callable<Integer> {
    private static final String PREFIX = "rank_";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private final DumpFiles dumps = new DumpFiles();

    @Option(
            names = "--output",
            paramLabel = "FOLDER",
            required = true,
            description = "Where to write; made if missing.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Path output;

    /** For picocli. */
    public FrTraceCommand() {}

    @Override
    public Integer call() {
        Map<String, List<RankRecord>> jobs = RankRecords.latest(dumps.read()).stream()
                .collect(Collectors.groupingBy(RankRecord::job, LinkedHashMap::new, Collectors.toList()));
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
                    "cannot write to " + folder + ": " + FileProblem.of(e) + "; name a folder that can be written to");
        }
    }
}
