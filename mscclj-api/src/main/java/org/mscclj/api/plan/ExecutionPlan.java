package org.mscclj.api.plan;

import java.nio.file.Path;
import org.mscclj.api.type.Collective;

/**
 * An execution plan: for every rank and every thread block, the operations to run. Immutable; one plan serves any
 * number of communicators of its world size.
 *
 * <p>The format is the one that MSCCL++'s DSL writes and its executor reads.
 */
public interface ExecutionPlan {
    /** The unique name of the plan. */
    String name();

    /** The collective that the plan computes. */
    Collective collective();

    /** Number of ranks that run the plan together. */
    int worldSize();

    /**
     * Whether input and output share memory: both are one range (allreduce, alltoall), the input is slice {@code rank}
     * of the output (allgather), or the output is slice {@code rank} of the input (reducescatter).
     */
    boolean inPlace();

    /** Least message size accepted, in bytes: the output's size for allgather, the input's otherwise. Unsigned. */
    long minMessageSize();

    /** Greatest message size accepted, in bytes, inclusive. Unsigned: −1 is 2<sup>64</sup>−1. */
    long maxMessageSize();

    /** Whether ranks exchange packets, so that a {@link org.mscclj.api.type.PacketType} matters. */
    boolean usesPackets();

    /**
     * Reads and validates a plan file.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if the file cannot be read or is not a valid plan; the
     *     message names file, rank, block, operation and key
     */
    static ExecutionPlan load(Path file) {
        return InstalledPlanLoader.LOADER.find().load(file);
    }
}
