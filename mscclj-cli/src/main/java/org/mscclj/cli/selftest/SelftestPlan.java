package org.mscclj.cli.selftest;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The settings of a self-test.
 *
 * @param kinds the kinds of parts
 * @param backend the backend's name; empty for the best one
 * @param ranks numbers of ranks, in ascending order
 * @param worlds numbers of ranks of the conformance rules, in ascending order; empty for the default of {@code mscclj
 *     conformance}
 * @param wheres threads, processes or both
 * @param plans files and folders of plans
 * @param except names of plans to leave out
 * @param peer the library to compare benchmarks with
 * @param gpus number of GPUs; 0 if it is unknown, or ranks use none
 * @param quick whether to use few types and small sizes
 * @param output the folder for reports and logs
 */
record SelftestPlan(
        Set<PartKind> kinds,
        Optional<String> backend,
        List<Integer> ranks,
        List<Integer> worlds,
        List<RankKind> wheres,
        List<Path> plans,
        List<String> except,
        Optional<ComparedLibrary> peer,
        int gpus,
        boolean quick,
        Path output) {
    /** Returns these settings with another peer. */
    SelftestPlan withPeer(ComparedLibrary other) {
        return new SelftestPlan(
                kinds, backend, ranks, worlds, wheres, plans, except, Optional.of(other), gpus, quick, output);
    }

    /** Returns these settings with a number of GPUs; 0 if it is unknown, or ranks use none. */
    SelftestPlan withGpus(int number) {
        return new SelftestPlan(kinds, backend, ranks, worlds, wheres, plans, except, peer, number, quick, output);
    }

    /**
     * Whether ranks that are processes share a GPU. The GPU executes their processes in time slices, so that each
     * launch waits for several slices.
     */
    boolean shareGpus(int numberOfRanks) {
        return gpus > 0 && numberOfRanks > gpus;
    }

    /**
     * Returns environment variables of the parts, unless the user has set them. Processes that share a GPU have a
     * context each, and with the maximum number of hardware queues only some contexts fit on the GPU; threads need all
     * queues, one for each communicator.
     */
    Map<String, String> environment(RankKind where) {
        return GpuVendor.of(backend)
                .filter(_ -> gpus == 1 && where == RankKind.PROCESSES)
                .map(vendor -> Map.of(vendor.queues(), vendor.few()))
                .orElse(Map.of());
    }

    /** Returns the path of a file in the folder. */
    String file(String name) {
        return output.resolve(name).toString();
    }
}
