package org.mscclj.cli.debug;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.mscclj.cli.options.Usage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Names the rank that keeps the others waiting. */
@Command(
        name = "diff",
        header = "Compare dumps of several ranks, and name the one that keeps the others waiting.",
        description = {
            "",
            "Dumps are what mscclj debug dump prints, and the files that ranks leave in MSCCLJ_DEBUG_DUMP_DIR when they fail.",
            ""
        })
public final class DiffCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(arity = "1..*", paramLabel = "DUMPS", description = "Files with dumps of all ranks.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private List<Path> files;

    /** For picocli. */
    public DiffCommand() {}

    @Override
    public Integer call() {
        Map<String, List<RankRecord>> byCommunicator = new LinkedHashMap<>();
        for (Path file : files) {
            for (RankRecord record : read(file)) {
                byCommunicator
                        .computeIfAbsent(record.communicator(), _ -> new ArrayList<>())
                        .add(record);
            }
        }
        if (byCommunicator.isEmpty()) {
            throw Usage.wrong(spec, "there is no dump of any rank in " + files);
        }
        PrintWriter out = spec.commandLine().getOut();
        byCommunicator.forEach((name, ranks) -> out.println(name + ": " + Culprit.among(ranks)));
        out.flush();
        return 0;
    }

    private List<RankRecord> read(Path file) {
        try {
            return RankRecords.parse(Files.readString(file));
        } catch (IOException | RuntimeException e) {
            throw Usage.wrong(spec, "cannot read a dump from " + file + ": " + e.getMessage());
        }
    }
}
