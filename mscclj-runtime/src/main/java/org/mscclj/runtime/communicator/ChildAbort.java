package org.mscclj.runtime.communicator;

import java.util.List;
import java.util.OptionalInt;
import org.mscclj.spi.engine.AbortFlag;

/**
 * Ends a child that is being set up when its parent ends: some of its members may have left before they knew that there would be a child, and never come.
 *
 * @param parent the parent's abort word, which is set
 * @param child the child's
 * @param members the child's ranks, as ranks of the parent
 */
record ChildAbort(AbortFlag parent, AbortFlag child, List<Integer> members) implements Runnable {
    @Override
    public void run() {
        String why = "its parent ended while it was set up: " + parent.reason().orElse("no reason given");
        OptionalInt lost = parent.lostRank();
        if (lost.isPresent() && members.contains(lost.getAsInt())) {
            child.lose(members.indexOf(lost.getAsInt()), why);
        } else {
            parent.missingRanks().ifPresentOrElse(missing -> child.expire(why, namesOf(missing)), () -> child.set(why));
        }
    }

    private List<Integer> namesOf(List<Integer> ofParent) {
        return ofParent.stream()
                .filter(members::contains)
                .map(members::indexOf)
                .sorted()
                .toList();
    }
}
