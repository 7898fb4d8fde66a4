package org.mscclj.analysis.verify.machine;

import java.util.Arrays;

/** Records the operation of each step of an agent. */
final class StepLog {
    /** The position of the accesses of the application before a launch. */
    static final int APPLICATION = -1;

    /** The position of a step without an access, in which a block acquires from proxies. */
    static final int ACQUIRE = -2;

    private int[] entries = new int[3 * 16];
    private int size;

    void add(int launch, int position, int inner) {
        if (size + 3 > entries.length) {
            entries = Arrays.copyOf(entries, 2 * entries.length);
        }
        entries[size++] = launch;
        entries[size++] = position;
        entries[size++] = inner;
    }

    /** The launch of a step, counted from 1. */
    int launch(int step) {
        return entries[3 * (step - 1)];
    }

    /** The operation's position in the block. */
    int position(int step) {
        return entries[3 * (step - 1) + 1];
    }

    /** The position inside the pipeline; −1 outside of one. */
    int inner(int step) {
        return entries[3 * (step - 1) + 2];
    }
}
