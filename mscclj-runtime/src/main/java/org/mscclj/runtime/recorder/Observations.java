package org.mscclj.runtime.recorder;

import java.util.Optional;

/**
 * Times at which an inspecting thread first saw launches begun and ended. Safe for use by several threads; launching
 * threads do not use it.
 */
final class Observations {
    private final int entries;

    /** These arrays are empty until the first observation, since most communicators are never dumped. */
    private long[] sequences = {};

    private long[] started = {};
    private long[] ended = {};
    private boolean[] seenStarted = {};
    private boolean[] seenEnded = {};

    Observations(int entries) {
        this.entries = entries;
    }

    synchronized void started(long sequence, long nanos) {
        int slot = slot(sequence);
        if (!seenStarted[slot]) {
            seenStarted[slot] = true;
            started[slot] = nanos;
        }
    }

    synchronized void ended(long sequence, long nanos) {
        int slot = slot(sequence);
        if (!seenEnded[slot]) {
            seenEnded[slot] = true;
            ended[slot] = nanos;
        }
    }

    synchronized Optional<Long> startedNanos(long sequence) {
        int slot = slot(sequence);
        return seenStarted[slot] ? Optional.of(started[slot]) : Optional.empty();
    }

    synchronized Optional<Long> endedNanos(long sequence) {
        int slot = slot(sequence);
        return seenEnded[slot] ? Optional.of(ended[slot]) : Optional.empty();
    }

    /** Returns the slot of a launch, without observations of an earlier one. */
    private int slot(long sequence) {
        if (sequences.length == 0) {
            sequences = new long[entries];
            started = new long[entries];
            ended = new long[entries];
            seenStarted = new boolean[entries];
            seenEnded = new boolean[entries];
        }
        int slot = (int) (sequence % sequences.length);
        if (sequences[slot] != sequence) {
            sequences[slot] = sequence;
            seenStarted[slot] = false;
            seenEnded[slot] = false;
        }
        return slot;
    }
}
