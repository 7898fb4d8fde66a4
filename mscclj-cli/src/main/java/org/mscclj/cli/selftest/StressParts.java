package org.mscclj.cli.selftest;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The stress scenarios of a self-test: those without faults with threads, faults of processes with processes. */
final class StressParts {
    /**
     * Time limit for the detection of a fault; the default of mscclj stress is shorter, for machines without other
     * load.
     */
    private static final List<String> LIMIT = List.of("--limit", "2s");

    private static final List<String> THREADS =
            List.of("--scenario", "overlap,apart,absent,bursts,many,objects,aborts");
    private static final List<String> QUICK_THREADS = List.of(
            "--scenario",
            "overlap,absent,many,objects,aborts",
            "--launches",
            "500",
            "--communicators",
            "5",
            "--aborts",
            "4");
    private static final List<String> PROCESSES =
            List.of("--scenario", "kills,cuts,stops,mismatches", "--kills", "56", "--cuts", "14", "--mismatches", "32");
    private static final List<String> QUICK_PROCESSES =
            List.of("--scenario", "kills,mismatches", "--kills", "2", "--mismatches", "2");

    private StressParts() {}

    static List<SelftestPart> of(SelftestPlan plan) {
        List<SelftestPart> parts = new ArrayList<>();
        for (int ranks : plan.ranks()) {
            for (RankKind where : plan.wheres()) {
                // A single rank has no peer.
                if (ranks > 1) {
                    parts.add(part(plan, ranks, where));
                }
            }
        }
        return parts;
    }

    private static SelftestPart part(SelftestPlan plan, int ranks, RankKind where) {
        String title = PartKind.STRESS.label();
        List<String> arguments = new ArrayList<>(List.of("stress", "--ranks", Integer.toString(ranks)));
        arguments.addAll(
                switch (where) {
                    case THREADS -> plan.quick() ? QUICK_THREADS : THREADS;
                    case PROCESSES -> plan.quick() ? QUICK_PROCESSES : PROCESSES;
                });
        arguments.addAll(LIMIT);
        String file = SelftestPart.fileName(title, OptionalInt.of(ranks), Optional.of(where)) + ".json";
        arguments.addAll(List.of("--json", plan.file(file)));
        plan.backend().ifPresent(name -> arguments.addAll(List.of("--backend", name)));
        return new SelftestPart(
                PartKind.STRESS, title, OptionalInt.of(ranks), Optional.of(where), arguments, Optional.empty());
    }
}
