package org.mscclj.backend.host.schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What is captured on one stream. Belongs to the thread that captures. */
final class CapturedBranch {
    /** Something that a replay does, in the order of its branch. */
    sealed interface Node {
        /** A command that needs no ticket. */
        record Plain(Command command) implements Node {}

        /** A launch. */
        record Launch(CapturedLaunch launch) implements Node {}

        /** Going on when another branch has ended so many of its nodes. */
        record Join(int branch, int position) implements Node {}
    }

    private final Capture capture;
    private final int index;
    private final List<Node> nodes = new ArrayList<>();
    private int[] before;

    CapturedBranch(Capture capture, int index) {
        this.capture = capture;
        this.index = index;
        this.before = new int[index + 1];
    }

    int index() {
        return index;
    }

    List<Node> nodes() {
        return nodes;
    }

    /** Adds what comes next; its position, from 0. */
    int add(Node node) {
        nodes.add(node);
        return nodes.size() - 1;
    }

    /** The point after everything that was added. */
    CaptureMark mark() {
        int[] all = Arrays.copyOf(before, Math.max(before.length, index + 1));
        all[index] = nodes.size();
        return new CaptureMark(capture, index, all);
    }

    /** What is added from now on comes after a point. */
    void await(CaptureMark mark) {
        if (!comesAfter(mark.branch(), mark.position())) {
            add(new Node.Join(mark.branch(), mark.position()));
            before = mark.or(before);
        }
    }

    /** Whether what is added from now on comes after so many nodes of a branch. */
    private boolean comesAfter(int branch, int position) {
        return branch == index || position == 0 || (branch < before.length && before[branch] >= position);
    }

    /** Whether something was added that nothing comes after of what is added to another branch from now on. */
    boolean isLeftOutOf(CapturedBranch other) {
        return !other.comesAfter(index, nodes.size());
    }
}
