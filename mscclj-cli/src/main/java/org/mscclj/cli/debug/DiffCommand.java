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

/** Names the rank that keeps the others waiting. */
@Command(
        name = "diff",
        header = "Compare dumps of several ranks, and name the one that keeps the others waiting.",
        description = {
            "",
            "Dumps of each communicator are compared with each other, of one rank the last; communicators of"
                    + " one name, as children of a split and different jobs may have, are told apart.",
            "Dumps are what mscclj debug dump prints, the files that ranks leave in MSCCLJ_DEBUG_DUMP_DIR when"
                    + " they fail, and recordings, FILE.jfr, as mscclj debug dump takes them.",
            ""
        })
public final class DiffCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private final DumpFiles dumps = new DumpFiles();

    /** For picocli. */
    public DiffCommand() {}

    @Override
    public Integer call() {
        Map<String, List<RankRecord>> communicators = dumps.read().stream()
                .collect(Collectors.groupingBy(RankRecord::id, LinkedHashMap::new, Collectors.toList()));
        PrintWriter out = spec.commandLine().getOut();
        communicators
                .values()
                .forEach(ranks -> out.println(
                        PlainText.escape(title(ranks, communicators.values()) + ": " + Culprit.among(ranks))));
        out.flush();
        return 0;
    }

    /** The name; with what tells it from others of that name, if there are any. */
    private static String title(List<RankRecord> ranks, Collection<List<RankRecord>> all) {
        RankRecord one = ranks.getFirst();
        boolean alone = all.stream()
                        .map(List::getFirst)
                        .filter(other -> other.communicator().equals(one.communicator()))
                        .count()
                == 1;
        return one.communicator()
                + (alone ? "" : " " + one.id() + " of world ranks " + one.worldRanks() + ", dumped at " + one.time());
    }
}
