package org.mscclj.plan.verify;

/**
 * What somebody knows to have happened, as two vector clocks over all agents. Everything that agent {@code a} has done up to step {@code
 * full[a]} is done and visible; of what it has done up to step {@code reads[a]}, the reads are done, and writes may still be under way. A
 * relaxed signal tells of reads only, which is why there are two. Nowhere is {@code reads} less than {@code full}.
 */
final class Knowledge {
    private final int[] full;
    private final int[] reads;

    private Knowledge(int[] full, int[] reads) {
        this.full = full;
        this.reads = reads;
    }

    static Knowledge none(int agents) {
        return new Knowledge(new int[agents], new int[agents]);
    }

    Knowledge copy() {
        return new Knowledge(full.clone(), reads.clone());
    }

    int agents() {
        return full.length;
    }

    int full(int agent) {
        return full[agent];
    }

    int reads(int agent) {
        return reads[agent];
    }

    /** Everything of an agent up to a step. */
    void learn(int agent, int step) {
        full[agent] = Math.max(full[agent], step);
        reads[agent] = Math.max(reads[agent], step);
    }

    /** The reads of an agent up to a step. */
    void learnReads(int agent, int step) {
        reads[agent] = Math.max(reads[agent], step);
    }

    void learn(Knowledge other) {
        join(full, other.full);
        join(reads, other.reads);
    }

    void learnReads(Knowledge other) {
        join(reads, other.reads);
    }

    private static void join(int[] into, int[] from) {
        for (int i = 0; i < into.length; i++) {
            into[i] = Math.max(into[i], from[i]);
        }
    }
}
