package org.mscclj.cli.debug;

import java.io.PrintWriter;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.mscclj.api.error.PlainText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code mscclj debug diff}: names the rank that keeps the others waiting. */
@Command(
        name = "diff",
        header = "Compare dumps of several ranks, and name the one that keeps the others waiting.",
        description = {
            "",
            "The last dumps of all ranks of a communicator are compared with each other; communicators of"
                    + " the same name, as children of a split or different jobs may have, are distinguished.",
            "Dumps are what mscclj debug dump prints, the files that ranks leave in MSCCLJ_DEBUG_DUMP_DIR when"
                    + " they fail, and recordings, FILE.jfr, as mscclj debug dump takes them.",
            ""
        })
public final class DiffCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Mixin
    private final DumpFiles dumps = new DumpFiles();

    /** Called by picocli. */
    public DiffCommand() {}

    @Override
    public Integer call() {
        Map<String, List<RecordedRank>> communicators = dumps.read().stream()
                .collect(Collectors.groupingBy(RecordedRank::id, LinkedHashMap::new, Collectors.toList()));
        PrintWriter out = spec.commandLine().getOut();
        communicators
                .values()
                .forEach(ranks -> out.println(
                        PlainText.escape(title(ranks, communicators.values()) + ": " + HangAnalyzer.among(ranks))));
        out.flush();
        return 0;
    }

    /** Returns the communicator's name, with its world ranks or the time of its dump if others have the same name. */
    private static String title(List<RecordedRank> ranks, Collection<List<RecordedRank>> all) {
        RecordedRank one = ranks.getFirst();
        boolean alone = all.stream()
                        .map(List::getFirst)
                        .filter(other -> other.communicator().equals(one.communicator()))
                        .count()
                == 1;
        return one.communicator()
                + (alone ? "" : " " + one.id() + " of world ranks " + one.worldRanks() + ", dumped at " + one.time());
    }
}
