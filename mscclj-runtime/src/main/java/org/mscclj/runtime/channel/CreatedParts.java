package org.mscclj.runtime.channel;

import java.util.ArrayList;
import java.util.List;

/**
 * The parts that an application has created. From time to time it forgets the parts that the application has closed, so
 * that they do not accumulate.
 */
final class CreatedParts {
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

    /** Removes all parts and returns them, in the order in which they were created. */
    synchronized List<Part> takeAll() {
        List<Part> all = List.copyOf(parts);
        parts.clear();
        return all;
    }
}
