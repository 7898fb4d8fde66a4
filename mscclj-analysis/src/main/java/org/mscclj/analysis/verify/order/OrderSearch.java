package org.mscclj.analysis.verify.order;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.mscclj.analysis.verify.order.ServiceOrder.Turn;

/**
 * Explores all orders in which contested counters can serve their waiters. Each run repeats a prefix of the choices of
 * the run before and then takes another choice. Of two turns that commute, only one order is explored, by sleep sets
 * (P. Godefroid, <em>Partial-Order Methods for the Verification of Concurrent Systems</em>, 1996): a turn explored at a
 * choice need not be explored after another turn with which it commutes.
 */
public final class OrderSearch implements ServiceOrder {
    /** A choice of the current run. */
    private static final class Point {
        final List<Turn> possible;

        /** Turns that need no exploration here: they were explored before and commute with all later turns. */
        final List<Turn> asleep;

        int chosen;

        Point(List<Turn> possible, List<Turn> asleep) {
            this.possible = possible;
            this.asleep = asleep;
            this.chosen = nextFrom(0);
        }

        private int nextFrom(int start) {
            for (int i = start; i < possible.size(); i++) {
                Turn turn = possible.get(i);
                if (asleep.stream().noneMatch(turn::isSame)) {
                    return i;
                }
            }
            return possible.size();
        }

        boolean isOver() {
            return chosen == possible.size();
        }

        Turn turn() {
            return possible.get(chosen);
        }

        void tryNext() {
            asleep.add(turn());
            chosen = nextFrom(chosen + 1);
        }

        List<Turn> asleepAfterwards() {
            return new ArrayList<>(asleep.stream().filter(turn()::commutesWith).toList());
        }
    }

    private final List<Point> path = new ArrayList<>();
    private int depth;

    /** Begins a run with the next unexplored choices. */
    public void beginRun() {
        depth = 0;
    }

    @Override
    public OptionalInt next(List<Turn> possible) {
        if (depth == path.size()) {
            path.add(new Point(
                    possible,
                    path.isEmpty() ? new ArrayList<>() : path.getLast().asleepAfterwards()));
        }
        Point point = path.get(depth);
        if (point.isOver()) {
            return OptionalInt.empty();
        }
        depth++;
        return OptionalInt.of(point.chosen);
    }

    /** Ends a run; whether there is another order to explore. */
    public boolean endRun() {
        while (!path.isEmpty()) {
            Point last = path.getLast();
            if (!last.isOver()) {
                last.tryNext();
            }
            if (!last.isOver()) {
                return true;
            }
            path.removeLast();
        }
        return false;
    }

    /** Describes the choices of the current run. */
    public List<String> turns() {
        return path.stream().limit(depth).map(point -> point.turn().what()).toList();
    }
}
