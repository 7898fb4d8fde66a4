package org.mscclj.cli.selftest;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.mscclj.api.type.Collective;

/**
 * The benchmarks of a self-test: half precision, a few sizes, each collective as a part; with processes only the first
 * collective.
 */
final class PerfParts {
    private static final List<Collective> COLLECTIVES = List.of(
            Collective.ALLREDUCE,
            Collective.ALLGATHER,
            Collective.REDUCESCATTER,
            Collective.BROADCAST,
            Collective.ALLTOALL);

    /** 512 KiB among them: there GPUs use the most blocks. */
    private static final List<String> SIZES = List.of("-b", "1K", "-e", "64M", "-f", "8", "--iterations", "10");

    private static final List<String> QUICK_SIZES =
            List.of("-b", "1K", "-e", "512K", "-f", "8", "--iterations", "2", "--warmup", "2ms");

    private PerfParts() {}

    static List<SelftestPart> of(SelftestPlan plan) {
        List<SelftestPart> parts = new ArrayList<>();
        for (int ranks : plan.ranks()) {
            for (RankKind where : plan.wheres()) {
                // Processes differ from threads only in how they share GPUs, for every collective alike: one collective
                // shows the cost.
                boolean all = where == RankKind.THREADS && !plan.quick();
                for (Collective collective : all ? COLLECTIVES : COLLECTIVES.subList(0, 1)) {
                    // A single rank has nothing to measure.
                    if (ranks > 1) {
                        parts.add(part(plan, collective, ranks, where));
                    }
                }
            }
        }
        return parts;
    }

    private static SelftestPart part(SelftestPlan plan, Collective collective, int ranks, RankKind where) {
        String title = PartKind.PERF.label() + " " + collective.label();
        String file = SelftestPart.fileName(title, OptionalInt.of(ranks), Optional.of(where));
        List<String> arguments = new ArrayList<>(List.of("perf", collective.label()));
        arguments.addAll(plan.quick() ? QUICK_SIZES : SIZES);
        arguments.addAll(List.of("--ranks", Integer.toString(ranks), "--dtype", "float16"));
        arguments.addAll(List.of("--json", plan.file(file + ".json"), "--html", plan.file(file + ".html")));
        plan.peer()
                .filter(peer -> ranks <= peer.mostRanks())
                .ifPresent(peer -> arguments.addAll(List.of("--peer", peer.name())));
        plan.backend().ifPresent(name -> arguments.addAll(List.of("--backend", name)));
        if (where == RankKind.PROCESSES) {
            arguments.add("--procs");
        }
        return new SelftestPart(
                PartKind.PERF, title, OptionalInt.of(ranks), Optional.of(where), arguments, Optional.empty());
    }
}
