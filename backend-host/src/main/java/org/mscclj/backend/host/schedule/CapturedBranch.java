package org.mscclj.backend.host.schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The captured work of one stream. Belongs to the thread that captures. */
final class CapturedBranch {
    /** A step of a replay, in the order of its branch. */
    sealed interface Node {
        /** A command that needs no ticket. */
        record Plain(Command command) implements Node {}

        /** A launch. */
        record Launch(CapturedHostLaunch launch) implements Node {}

        /** A wait until another branch has ended a number of its nodes. */
        record Join(int branch, int position) implements Node {}
    }

    private final HostCapture capture;
    private final int index;
    private final List<Node> nodes = new ArrayList<>();
    private int[] before;

    CapturedBranch(HostCapture capture, int index) {
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

    /** Adds the next node; returns its position, from 0. */
    int add(Node node) {
        nodes.add(node);
        return nodes.size() - 1;
    }

    /** The point after all nodes. */
    CaptureMark mark() {
        int[] all = Arrays.copyOf(before, Math.max(before.length, index + 1));
        all[index] = nodes.size();
        return new CaptureMark(capture, index, all);
    }

    /** Orders nodes that are added from now on after a point. */
    void await(CaptureMark mark) {
        if (!comesAfter(mark.branch(), mark.position())) {
            add(new Node.Join(mark.branch(), mark.position()));
            before = mark.or(before);
        }
    }

    /** Whether nodes that are added from now on are ordered after a number of nodes of a branch. */
    private boolean comesAfter(int branch, int position) {
        return branch == index || position == 0 || (branch < before.length && before[branch] >= position);
    }

    /** Whether this branch has nodes after which the next nodes of another branch are not ordered. */
    boolean isLeftOutOf(CapturedBranch other) {
        return !other.comesAfter(index, nodes.size());
    }
}
