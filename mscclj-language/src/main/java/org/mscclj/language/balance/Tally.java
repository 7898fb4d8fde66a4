package org.mscclj.language.balance;

import java.util.Set;
import java.util.TreeSet;

/** Counts recorded operations, and the blocks that recorded them. */
final class Tally {
    private final Set<Integer> blocks = new TreeSet<>();
    private int count;

    void add(int block) {
        blocks.add(block);
        count++;
    }

    int count() {
        return count;
    }

    /** For example {@code once}. */
    String times() {
        return switch (count) {
            case 0 -> "never";
            case 1 -> "once";
            default -> count + " times";
        };
    }

    /** For example {@code , block 2,}; empty if there are none. */
    @Override
    public String toString() {
        if (blocks.isEmpty()) {
            return "";
        }
        return blocks.size() == 1 ? ", block " + blocks.iterator().next() + "," : ", blocks " + blocks + ",";
    }
}
