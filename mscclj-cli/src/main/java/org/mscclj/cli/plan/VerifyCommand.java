package org.mscclj.cli.plan;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.mscclj.analysis.verdict.Finding;
import org.mscclj.analysis.verdict.Verdict;
import org.mscclj.analysis.verify.Verifier;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.PlainText;
import org.mscclj.api.type.Collective;
import org.mscclj.cli.options.PlanFiles;
import org.mscclj.cli.options.Usage;
import org.mscclj.plan.Plan;
import org.mscclj.plan.json.PlanReader;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code mscclj plan verify}: proves plans, or reports their faults. */
@Command(
        name = "verify",
        header = "Prove that plans are right, or report what is wrong with them.",
        description = {
            "",
            "All ranks are executed with symbolic values, without data. Proved are: the result of every output chunk; that"
                    + " no block waits"
                    + " forever; and that all conflicting accesses are ordered, over several launches in a row.",
            "Ends with 0 if all plans are proved, else with 1."
        })
public final class VerifyCommand implements Callable<Integer> {
    private static final double NANOS_PER_SECOND = 1e9;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "Execution plans, or folders of them.")
    @SuppressWarnings("NullAway.Init") // required
    private List<Path> files;

    @Option(
            names = "--strict",
            description = "Treat relaxed signals strictly: they order reads only. Otherwise those that must be full are"
                    + " treated as full, as engines do, and reported.")
    private boolean strict;

    /** Called by picocli. */
    public VerifyCommand() {}

    @Override
    public Integer call() {
        List<Path> plans = Usage.checked(spec, () -> PlanFiles.of(files));
        PrintWriter out = spec.commandLine().getOut();
        boolean proved = true;
        for (Path file : plans) {
            proved &= verify(file, out);
            out.flush();
        }
        return proved ? 0 : 1;
    }

    private boolean verify(Path file, PrintWriter out) {
        Plan plan;
        try {
            plan = PlanReader.read(file);
        } catch (InvalidArgumentException e) {
            out.println(PlainText.escape(file.toString()) + ": not a valid plan");
            out.println("  " + e.getMessage());
            return false;
        }
        long start = System.nanoTime();
        Verdict verdict = Verifier.verify(plan, strict);
        double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
        String what = verdict.isProved() ? "proved" : verdict.isRefuted() ? "refuted" : "not proved";
        out.printf(
                Locale.ROOT,
                "%s: %s: %s of %d ranks%s, in %.2f s%n",
                PlainText.escape(file.toString()),
                what,
                plan.collective(),
                plan.worldSize(),
                verdict.isProved() ? proved(plan, verdict) : "",
                seconds);
        verdict.notes().forEach(note -> out.println("  note: " + note));
        for (Finding finding : verdict.findings()) {
            out.println("  " + title(finding.kind()) + ": " + finding.message().replace("\n", "\n  "));
        }
        return verdict.isProved();
    }

    private static String proved(Plan plan, Verdict verdict) {
        String bits =
                plan.collective() == Collective.ALLREDUCE && verdict.equalBits() ? ", equal bits on all ranks" : "";
        return verdict.roots().isEmpty()
                ? bits
                : ", for root "
                        + verdict.roots().stream().sorted().map(String::valueOf).collect(Collectors.joining(", "));
    }

    private static String title(Finding.Kind kind) {
        return switch (kind) {
            case WRONG_RESULT -> "wrong result";
            case NOT_CALLABLE -> "cannot run";
            case NO_PROGRESS -> "waits for ever";
            case RACE -> "race";
            case UNDECIDED -> "not decided";
        };
    }
}
