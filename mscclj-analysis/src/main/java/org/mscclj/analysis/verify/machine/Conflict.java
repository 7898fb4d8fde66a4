package org.mscclj.analysis.verify.machine;

/**
 * Two unordered accesses to one cell, at least one of which is a write: a data race.
 *
 * @param rank rank that owns the memory
 * @param letter letter of the buffer
 * @param cell index of the cell
 * @param firstAgent agent of the earlier access in this run
 * @param firstStep step of the earlier access
 * @param firstWrites whether the earlier access is a write
 * @param secondAgent agent of the later access in this run
 * @param secondStep step of the later access
 * @param secondWrites whether the later access is a write
 */
record Conflict(
        int rank,
        String letter,
        int cell,
        int firstAgent,
        int firstStep,
        boolean firstWrites,
        int secondAgent,
        int secondStep,
        boolean secondWrites) {}
