package org.mscclj.spi.engine;

import java.util.List;

/**
 * Why launches of a communicator do not end.
 *
 * @param ranks because of which they do not, as far as is known
 * @param words what the ranks do about it
 */
public record Lateness(List<Integer> ranks, String words) {
    /** Copies the list. */
    public Lateness {
        ranks = List.copyOf(ranks);
    }
}
