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

/**
 * Makes the parts of a self-test: the command lines that it consists of stand here, in {@link PerfParts} and in
 * {@link StressParts}.
 */
final class Parts {
    /** Ten launches of changing size: odd ones, and sizes that need several rounds of a small one. */
    private static final String SIZES = "1K,1M,12,64K,1000,256K,4K,777777,1K,1M";

    private static final String QUICK_SIZES = "1K,1000";

    private final SelftestPlan plan;
    private final List<Part> parts = new ArrayList<>();

    private Parts(SelftestPlan plan) {
        this.plan = plan;
    }

    /** In the order in which they run. */
    static List<Part> of(SelftestPlan plan) {
        Parts parts = new Parts(plan);
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
            for (Where where : plan.wheres()) {
                boolean quick = plan.quick() || (where == Where.PROCESSES && plan.shareGpus(ranks));
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
                if (where == Where.PROCESSES) {
                    arguments.add("--procs");
                }
                add(PartKind.PLANS, OptionalInt.of(ranks), Optional.of(where), arguments, Optional.empty());
            }
        }
    }

    /** Of all plans that can be read; the others are failures of each part. */
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
     * Rules that wait until a timeout has passed would take minutes; and ranks that are processes take seconds to
     * start, which many rules end.
     */
    private void conformance() {
        for (Where where : plan.wheres()) {
            List<String> arguments =
                    new ArrayList<>(List.of("conformance", "--mode", where.label(), "--depth", "quick"));
            arguments.add(where == Where.PROCESSES ? "--smoke" : "--no-waits");
            if (!plan.worlds().isEmpty()) {
                arguments.addAll(List.of("--world", numbers(plan.worlds())));
            }
            arguments.add("--report");
            arguments.add(
                    plan.file(Part.fileName(PartKind.CONFORMANCE.label(), OptionalInt.empty(), Optional.of(where))));
            add(PartKind.CONFORMANCE, OptionalInt.empty(), Optional.of(where), arguments, Optional.empty());
        }
    }

    private static String numbers(List<Integer> list) {
        return list.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private String json(PartKind kind, OptionalInt ranks, Optional<Where> where) {
        return plan.file(Part.fileName(kind.label(), ranks, where) + ".json");
    }

    private void add(
            PartKind kind,
            OptionalInt ranks,
            Optional<Where> where,
            List<String> arguments,
            Optional<Pattern> mustSay) {
        List<String> all = new ArrayList<>(arguments);
        if (kind != PartKind.INFO) {
            plan.backend().ifPresent(name -> all.addAll(List.of("--backend", name)));
        }
        parts.add(new Part(kind, kind.label(), ranks, where, all, mustSay));
    }
}
