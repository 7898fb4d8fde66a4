package org.mscclj.cli.selftest;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a self-test is to do.
 *
 * @param kinds the parts
 * @param backend the backend's name; empty for the best one
 * @param ranks numbers of ranks, in ascending order
 * @param worlds numbers of ranks of rules, in ascending order; empty for those of {@code mscclj conformance}
 * @param wheres where ranks live
 * @param plans files and folders of plans
 * @param except names of plans that are left out
 * @param peer what benchmarks are compared with
 * @param gpus how many GPUs ranks have; 0 if that is not known, or they have none
 * @param quick whether few types and small sizes are enough
 * @param output the folder for reports and logs
 */
record SelftestPlan(
        Set<PartKind> kinds,
        Optional<String> backend,
        List<Integer> ranks,
        List<Integer> worlds,
        List<Where> wheres,
        List<Path> plans,
        List<String> except,
        Optional<Peer> peer,
        int gpus,
        boolean quick,
        Path output) {
    private static final String HARDWARE_QUEUES = "CUDA_DEVICE_MAX_CONNECTIONS";
    private static final String FEW = "8";

    /** The same, compared with something else. */
    SelftestPlan withPeer(Peer other) {
        return new SelftestPlan(
                kinds, backend, ranks, worlds, wheres, plans, except, Optional.of(other), gpus, quick, output);
    }

    /** The same on a machine with so many GPUs; 0 if that is not known, or ranks use none. */
    SelftestPlan withGpus(int number) {
        return new SelftestPlan(kinds, backend, ranks, worlds, wheres, plans, except, peer, number, quick, output);
    }

    /**
     * Whether some ranks that are processes share a GPU, which works for their processes in turns, so that each launch
     * waits for several.
     */
    boolean shareGpus(int numberOfRanks) {
        return gpus > 0 && numberOfRanks > gpus;
    }

    /**
     * What variables commands get unless the user has set them. Processes that share a GPU have a context each there,
     * of which only some find room with all the hardware queues that there can be; threads need as many queues as there
     * are, one for each communicator.
     */
    Map<String, String> environment(Where where) {
        return gpus == 1 && where == Where.PROCESSES ? Map.of(HARDWARE_QUEUES, FEW) : Map.of();
    }

    /** The path of a file in the folder. */
    String file(String name) {
        return output.resolve(name).toString();
    }
}
