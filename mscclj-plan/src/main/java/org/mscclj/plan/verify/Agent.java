package org.mscclj.plan.verify;

import org.jspecify.annotations.Nullable;

/**
 * Somebody who accesses memory: a thread block, or the proxy of a port channel. Its accesses are numbered in steps, one
 * for each operation.
 *
 * <p>A block is many threads: what some of them have waited for, the others know after they have met, and only what
 * they had done when they last met is told by a signal.
 */
final class Agent {
    private final int index;
    private final int rank;
    private final boolean proxy;
    private final Knowledge known;
    private final StepLog log = new StepLog();

    /** The thread block that it is; nothing if it is a proxy. */
    private @Nullable Block block;

    /** What was heard since the threads last met. */
    private @Nullable Knowledge heard;

    /** What is told; valid until something is learnt. */
    private @Nullable Knowledge told;

    /** The element that is being computed; none between operations. */
    private @Nullable Element element;

    private int step;
    private int met;

    Agent(int index, int rank, FirstHand firstHand) {
        this.index = index;
        this.rank = rank;
        this.proxy = firstHand.isProxy(index);
        this.known = Knowledge.none(firstHand);
    }

    int index() {
        return index;
    }

    int rank() {
        return rank;
    }

    void is(Block self) {
        block = self;
    }

    @Nullable
    Block block() {
        return block;
    }

    int step() {
        return step;
    }

    StepLog log() {
        return log;
    }

    /** Begins an operation. */
    void begin(int launch, int position, int inner) {
        step++;
        log.add(launch, position, inner);
    }

    /** All threads meet. */
    void meet() {
        if (heard != null) {
            known.learn(heard);
            heard = null;
            told = null;
            if (!proxy && known.hasFirstHand()) {
                begin(0, StepLog.HEARING, -1); // so that who knows of this step knows what was heard before it
                known.settle(index, step);
                known.learn(index, step);
            }
        }
        if (met != step) {
            met = step;
            told = null;
        }
    }

    /** Hears of everything that somebody knows; in force after the next meeting. */
    void hear(Knowledge other) {
        heard().learn(other);
    }

    /** Hears of the reads that somebody knows. */
    void hearReads(Knowledge other) {
        heard().learnReads(other);
    }

    /** Hears that the reads of an agent up to a step are done. */
    void hearReads(int agent, int upTo) {
        heard().learnReads(agent, upTo);
    }

    private Knowledge heard() {
        if (heard == null) {
            heard = known.copy(); // shares what is known already
        }
        return heard;
    }

    /** What its signals tell: what it knows, and what it had done when its threads last met. */
    Knowledge tell() {
        if (told == null) {
            known.learn(index, met);
            told = known.copy();
        }
        return told;
    }

    /** One thread computes this element, and knows what its packets tell, before any meeting. */
    void compute(@Nullable Element next) {
        element = next;
    }

    /** Whether an access that wrote is done and visible. */
    boolean knowsWrite(int agent, int stepOfIt) {
        return (agent == index ? stepOfIt <= met : known.full(agent) >= stepOfIt)
                || (element != null && element.precedes(agent, stepOfIt));
    }

    /** Whether an access that read is done. */
    boolean knowsRead(int agent, int stepOfIt) {
        return (agent == index ? stepOfIt <= met : known.reads(agent) >= stepOfIt)
                || (element != null && element.readsPrecede(agent, stepOfIt));
    }

    /** Whether a read is of the element that is being computed, and so done before anything is written. */
    boolean isComputingFrom(ElementRead read) {
        return element != null && element.reads().contains(read);
    }
}
