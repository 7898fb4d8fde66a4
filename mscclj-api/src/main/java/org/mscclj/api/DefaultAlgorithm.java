package org.mscclj.api;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.mscclj.api.algorithm.AlgorithmNeed;
import org.mscclj.api.type.Collective;

/** MSCCL++'s default algorithms. */
final class DefaultAlgorithm {
    private DefaultAlgorithm() {}

    /** Returns all of them. Between those of a collective, ones that need less come first. */
    static List<Algorithm> all() {
        return List.of(
                here("default_allreduce_packet", Collective.ALLREDUCE, "packets_two_shot", AlgorithmNeed.SCRATCH),
                here("default_allreduce_allpair_packet", Collective.ALLREDUCE, "packets", AlgorithmNeed.SCRATCH),
                here("default_allreduce_fullmesh", Collective.ALLREDUCE, "scratch", AlgorithmNeed.SCRATCH),
                here("default_allreduce_rsag", Collective.ALLREDUCE, "scratch", AlgorithmNeed.SCRATCH),
                new Algorithm(
                        "default_allreduce_rsag_pipeline",
                        Collective.ALLREDUCE,
                        Optional.empty(),
                        Set.of(AlgorithmNeed.SCRATCH)),
                here(
                        "default_allreduce_rsag_zero_copy",
                        Collective.ALLREDUCE,
                        "direct",
                        AlgorithmNeed.REGISTERED_BUFFERS),
                nvls("packet", "multicast_packets", AlgorithmNeed.SCRATCH),
                nvls("zero_copy", "multicast_direct", AlgorithmNeed.REGISTERED_BUFFERS),
                nvls("warp_pipeline", "multicast_pipeline", AlgorithmNeed.SCRATCH),
                nvls("block_pipeline", "multicast_pipeline", AlgorithmNeed.SCRATCH),
                here("default_allgather_fullmesh", Collective.ALLGATHER, "scratch", AlgorithmNeed.SCRATCH),
                here(
                        "default_allgather_fullmesh2",
                        Collective.ALLGATHER,
                        "direct_store",
                        AlgorithmNeed.REGISTERED_BUFFERS));
    }

    private static Algorithm here(String name, Collective collective, String program, AlgorithmNeed need) {
        return new Algorithm(name, collective, Optional.of(program), Set.of(need));
    }

    /** One of an allreduce by multicast. */
    private static Algorithm nvls(String name, String program, AlgorithmNeed other) {
        return new Algorithm(
                "default_allreduce_nvls_" + name,
                Collective.ALLREDUCE,
                Optional.of(program),
                Set.of(AlgorithmNeed.MULTICAST, other));
    }
}
