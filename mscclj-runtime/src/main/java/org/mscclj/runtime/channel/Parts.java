package org.mscclj.runtime.channel;

import java.util.ArrayList;
import java.util.List;

/**
 * The parts that an application has made. What it closes itself is forgotten now and then, so that they do not pile up.
 */
final class Parts {
    private static final int FIRST_PRUNING = 64;

    private final List<Part> parts = new ArrayList<>();
    private int nextPruning = FIRST_PRUNING;

    synchronized <P extends Part> P add(P part) {
        if (parts.size() >= nextPruning) {
            parts.removeIf(known -> !known.isOpen());
            nextPruning = Math.max(FIRST_PRUNING, 2 * parts.size());
        }
        parts.add(part);
        return part;
    }

    /** The parts, in the order they were made; empties this. */
    synchronized List<Part> takeAll() {
        List<Part> all = List.copyOf(parts);
        parts.clear();
        return all;
    }
}
