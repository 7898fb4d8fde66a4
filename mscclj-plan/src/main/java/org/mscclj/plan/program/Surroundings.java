package org.mscclj.plan.program;

import java.util.Optional;

/**
 * Where a call runs, as far as the choice of its algorithm depends on it. Equal on all ranks.
 *
 * @param registered whether peers can access input and output, which are then at equal places on all ranks
 * @param multicast whether a switch reduces and stores for all ranks, or the backend emulates it
 * @param obstacles why ranks cannot map each other's memory
 * @param unequalNodes why nodes are not equal blocks of ranks, in words; empty if they are
 * @param preference which programs are best on this kind of machine
 */
public record Surroundings(
        boolean registered,
        boolean multicast,
        MappingObstacles obstacles,
        Optional<String> unequalNodes,
        ProgramPreference preference) {}
