package org.mscclj.cli.selftest;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.mscclj.api.error.MsccljException;
import org.mscclj.cli.options.PlanFiles;
import org.mscclj.plan.json.PlanReader;

/** Creates the parts of a self-test. Their command lines are here, in {@link PerfParts} and in {@link StressParts}. */
final class SelftestParts {
    /** Sizes of ten launches: odd ones, and ones that need several rounds of a small scratch. */
    private static final String SIZES = "1K,1M,12,64K,1000,256K,4K,777777,1K,1M";

    private static final String QUICK_SIZES = "1K,1000";

    private final SelftestPlan plan;
    private final List<SelftestPart> parts = new ArrayList<>();

    private SelftestParts(SelftestPlan plan) {
        this.plan = plan;
    }

    /** Returns the parts in the order in which they run. */
    static List<SelftestPart> of(SelftestPlan plan) {
        SelftestParts parts = new SelftestParts(plan);
        for (PartKind kind : plan.kinds()) {
            switch (kind) {
                case INFO -> parts.info();
                case PLANS -> parts.plans();
                case CONFORMANCE -> parts.conformance();
                case PERF -> parts.parts.addAll(PerfParts.of(plan));
                case STRESS -> parts.parts.addAll(StressParts.of(plan));
            }
        }
        return parts.parts;
    }

    private void info() {
        String name = plan.backend().map(Pattern::quote).orElse("\\S+");
        add(
                PartKind.INFO,
                OptionalInt.empty(),
                Optional.empty(),
                List.of("info"),
                Optional.of(Pattern.compile(" *" + name + " +available: .*")));
    }

    private void plans() {
        List<Integer> present = worldSizes();
        for (int ranks : plan.ranks()) {
            if (!present.contains(ranks)) {
                continue;
            }
            for (RankKind where : plan.wheres()) {
                boolean quick = plan.quick() || (where == RankKind.PROCESSES && plan.shareGpus(ranks));
                List<String> arguments = new ArrayList<>(List.of("run"));
                plan.plans().forEach(path -> arguments.add(path.toString()));
                arguments.addAll(List.of("--ranks", Integer.toString(ranks)));
                if (!plan.except().isEmpty()) {
                    arguments.addAll(List.of("--except", String.join(",", plan.except())));
                }
                arguments.addAll(List.of("--dtype", quick ? "float32" : "float32,float16,bfloat16,int32"));
                arguments.addAll(List.of("--packet", quick ? "LL16" : "LL16,LL8"));
                arguments.addAll(List.of("--size", quick ? QUICK_SIZES : SIZES));
                arguments.addAll(List.of("--timeout", "20s"));
                arguments.addAll(List.of("--json", json(PartKind.PLANS, OptionalInt.of(ranks), Optional.of(where))));
                if (where == RankKind.PROCESSES) {
                    arguments.add("--procs");
                }
                add(PartKind.PLANS, OptionalInt.of(ranks), Optional.of(where), arguments, Optional.empty());
            }
        }
    }

    /** Returns the numbers of ranks of all readable plans; unreadable plans are failures of each part. */
    private List<Integer> worldSizes() {
        List<Integer> sizes = new ArrayList<>();
        for (Path file : PlanFiles.of(plan.plans(), plan.except())) {
            try {
                sizes.add(PlanReader.read(file).worldSize());
            } catch (MsccljException e) {
                sizes.addAll(plan.ranks());
            }
        }
        return sizes;
    }

    /**
     * Excludes rules that wait for a timeout, which would take minutes; and, with processes, most rules, since many end
     * processes, which take seconds to start.
     */
    private void conformance() {
        for (RankKind where : plan.wheres()) {
            List<String> arguments =
                    new ArrayList<>(List.of("conformance", "--mode", where.label(), "--depth", "quick"));
            arguments.add(where == RankKind.PROCESSES ? "--smoke" : "--no-waits");
            if (!plan.worlds().isEmpty()) {
                arguments.addAll(List.of("--world", numbers(plan.worlds())));
            }
            arguments.add("--report");
            arguments.add(plan.file(
                    SelftestPart.fileName(PartKind.CONFORMANCE.label(), OptionalInt.empty(), Optional.of(where))));
            add(PartKind.CONFORMANCE, OptionalInt.empty(), Optional.of(where), arguments, Optional.empty());
        }
    }

    private static String numbers(List<Integer> list) {
        return list.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private String json(PartKind kind, OptionalInt ranks, Optional<RankKind> where) {
        return plan.file(SelftestPart.fileName(kind.label(), ranks, where) + ".json");
    }

    private void add(
            PartKind kind,
            OptionalInt ranks,
            Optional<RankKind> where,
            List<String> arguments,
            Optional<Pattern> mustSay) {
        List<String> all = new ArrayList<>(arguments);
        if (kind != PartKind.INFO) {
            plan.backend().ifPresent(name -> all.addAll(List.of("--backend", name)));
        }
        parts.add(new SelftestPart(kind, kind.label(), ranks, where, all, mustSay));
    }
}
