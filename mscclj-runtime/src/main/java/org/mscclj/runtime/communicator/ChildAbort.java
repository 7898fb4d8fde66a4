package org.mscclj.runtime.communicator;

import java.util.List;
import org.mscclj.spi.engine.AbortCause;
import org.mscclj.spi.engine.AbortFlag;

/**
 * Ends a child that is being set up when its parent ends: some of its members may have left before they knew that there
 * would be a child, and never come.
 */
final class ChildAbort implements Runnable {
    private final AbortFlag parent;
    private final AbortFlag child;
    private final List<Integer> members;
    private boolean over;
    private boolean ended;

    /**
     * Creates the action for a child.
     *
     * @param parent the parent's abort word, which is set when this action runs
     * @param child the child's abort word
     * @param members the child's ranks, as ranks of the parent
     */
    ChildAbort(AbortFlag parent, AbortFlag child, List<Integer> members) {
        this.parent = parent;
        this.child = child;
        this.members = members;
    }

    @Override
    public synchronized void run() {
        if (over) {
            return;
        }
        ended = true;
        String why = "its parent ended while it was set up: " + parent.reason().orElse("no reason given");
        switch (parent.cause().orElse(AbortCause.REQUESTED)) {
            case RANK_LOST -> lost(parent.lostRank().orElseThrow(), why);
            case LATE -> child.expire(why, namesOf(parent.missingRanks().orElse(List.of())));
            case FAILED -> child.fail(why);
            case REQUESTED -> child.set(why);
        }
    }

    private void lost(int ofParent, String why) {
        if (members.contains(ofParent)) {
            child.lose(members.indexOf(ofParent), why);
        } else {
            child.set(why);
        }
    }

    /**
     * Marks the child as set up. From now on it does not end with its parent.
     *
     * @return whether this action has not ended the child
     */
    synchronized boolean isSpared() {
        over = true;
        return !ended;
    }

    private List<Integer> namesOf(List<Integer> ofParent) {
        return ofParent.stream()
                .filter(members::contains)
                .map(members::indexOf)
                .sorted()
                .toList();
    }
}
