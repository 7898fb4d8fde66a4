package org.mscclj.plan.verify;

/**
 * Two accesses to one cell, at least one of which writes, that nothing orders.
 *
 * @param rank whose memory it is
 * @param letter which buffer
 * @param cell which cell
 * @param firstAgent who came first in the run
 * @param firstStep in which step
 * @param firstWrites whether that wrote
 * @param secondAgent who came second
 * @param secondStep in which step
 * @param secondWrites whether that wrote
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
