package org.mscclj.language.selection;

import java.util.Optional;
import org.mscclj.plan.preference.ProgramPreference;

/**
 * The conditions of a call on which the choice of its algorithm depends. Equal on all ranks.
 *
 * @param registered whether peers can access input and output, at equal offsets on all ranks
 * @param multicast whether a switch reduces and stores for all ranks, or the backend emulates it
 * @param obstacles the reasons why ranks cannot map each other's memory
 * @param unequalNodes describes why nodes are not equal blocks of ranks; empty if they are
 * @param preference the best programs on this kind of machine
 */
public record SelectionContext(
        boolean registered,
        boolean multicast,
        MappingObstacles obstacles,
        Optional<String> unequalNodes,
        ProgramPreference preference) {}
