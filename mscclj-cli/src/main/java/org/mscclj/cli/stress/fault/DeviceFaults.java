package org.mscclj.cli.stress.fault;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.mscclj.cli.stress.rank.DeviceFault;
import org.mscclj.cli.stress.rank.ErrorSymbol;
import org.mscclj.cli.stress.rank.FaultyLaunch;
import org.mscclj.cli.stress.rank.RankReport;

/**
 * A scenario in which kernels fault on purpose, on each rank in turn, while all ranks are in a collective. The rank
 * itself must report the driver's error and its launches, and the others the same error, and the rank. If the driver
 * ends the process instead, the others must report the rank as lost. Then that rank's process is replaced, since it
 * cannot use its device any more, and the ranks continue with right results.
 *
 * @param faults the number of faults
 */
public record DeviceFaults(int faults) implements FaultScenario {
    @Override
    public FaultResult run(FaultSettings settings) {
        FaultResult result = new FaultResult(
                "device-faults", "from the launch of a faulting kernel until a rank has reported it", settings);
        try (RankWorld world = new RankWorld(settings, Map.of())) {
            for (int i = 0; i < faults; i++) {
                DeviceFault[] kinds = DeviceFault.values();
                DeviceFault kind = kinds[i % kinds.length];
                int victim = (i % kinds.length + i / kinds.length) % settings.ranks();
                String name = kind.name().toLowerCase(Locale.ROOT);
                world.attempt(
                        result,
                        name + ", victim " + victim + ", case " + i,
                        () -> fault(world, settings, kind, name, victim, result));
            }
        }
        return result;
    }

    private static void fault(
            RankWorld world, FaultSettings settings, DeviceFault kind, String name, int victim, FaultResult result) {
        world.open(settings.timeout());
        world.send("fault " + kind + " " + victim);
        world.awaitAll(RankReport.Kind.RUNNING);
        long begun = System.nanoTime();
        Optional<ChildRank.ReceivedReport> own = world.rank(victim).poll(RankWorld.STEP_TIMEOUT);
        String effect = own.map(heard -> symbol(heard.report()))
                .orElseGet(
                        () -> "its process ends with code " + world.rank(victim).awaitEnd(RankWorld.STEP_TIMEOUT));
        List<String> wrong = new ArrayList<>();
        own.ifPresent(heard -> {
            result.took(name, heard.nanos() - begun, FaultyLaunch.PAUSE);
            if (heard.report().kind() != RankReport.Kind.DEVICE
                    || effect.isEmpty()
                    || heard.report().saysMore()
                    || !heard.report().message().contains(kind.function())) {
                wrong.add("it says " + heard.report());
            }
        });
        if (settings.backend().equals("cuda") && !kind.cudaErrors().contains(effect)) {
            wrong.add("CUDA names it one of " + kind.cudaErrors() + ", and was found: " + effect);
        }
        for (int rank : world.others(victim)) {
            ChildRank.ReceivedReport heard = world.rank(rank).await(RankWorld.STEP_TIMEOUT);
            result.took(name, heard.nanos() - begun, FaultyLaunch.PAUSE);
            if (!(own.isPresent() ? isAborted(heard.report(), victim, kind, effect) : isLost(heard.report(), victim))) {
                wrong.add("rank " + rank + " says " + heard.report());
            }
        }
        result.judged(name + ": " + effect, wrong.isEmpty());
        wrong.forEach(what -> result.failed(name, "a kernel of rank " + victim + " has faulted, and " + what));
        for (int rank : world.others(victim)) {
            ChildRank.ReceivedReport _ = world.rank(rank).await(RankReport.Kind.DONE, RankWorld.STEP_TIMEOUT);
        }
        if (own.isPresent()) {
            world.rank(victim).await(RankReport.Kind.DONE, RankWorld.STEP_TIMEOUT);
            world.rank(victim).send("close");
            world.rank(victim).await(RankReport.Kind.DONE, RankWorld.STEP_TIMEOUT);
            world.rank(victim).kill();
        }
        long found = System.nanoTime();
        world.shrink(victim);
        result.most("shrinking, and a right sum", System.nanoTime() - found);
        long shrunk = System.nanoTime();
        world.grow(victim);
        result.most("a new process in its place, and a right sum", System.nanoTime() - shrunk);
        world.closeCommunicators();
    }

    /** The name of the error, which is the backend's; empty if there is none. */
    private static String symbol(RankReport report) {
        return ErrorSymbol.in(report.message()).orElse("");
    }

    /** Whether another rank says that the device of the victim has failed, for the same reason as the victim. */
    private static boolean isAborted(RankReport report, int victim, DeviceFault kind, String symbol) {
        return report.kind() == RankReport.Kind.ABORTED
                && !report.saysMore()
                && report.message().contains("rank " + victim + ": its device has failed")
                && report.message().contains(kind.function())
                && symbol(report).equals(symbol);
    }

    private static boolean isLost(RankReport report, int victim) {
        return report.kind() == RankReport.Kind.LOST
                && !report.saysMore()
                && report.ranks().equals(List.of(victim));
    }
}
