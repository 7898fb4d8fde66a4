package org.mscclj.runtime.agreement;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;

/** The rules by which the lists of other ranks refuse a call of shrink, or make it wait. Used by one thread. */
final class ListRules {
    private final ShrinkCall call;
    private final Stands stands;
    private final List<Integer> excluded;
    private final List<Integer> left;

    /** Ranks that other ranks exclude, and that have answered. */
    private final Set<Integer> alive = new HashSet<>();

    ListRules(ShrinkCall call) {
        this.call = call;
        this.stands = call.stands();
        this.excluded = call.excluded();
        this.left = call.left();
    }

    /** Throws if other ranks go on without this rank. The caller holds the monitor. */
    void requireNobodyFormed() {
        for (int each = 0; each < stands.size(); each++) {
            Stand stand = stands.of(each);
            if (each != stands.rank() && stand.phase() == Stand.Phase.FORMED) {
                throw refused("rank " + each + " goes on without ranks " + stand.excluded()
                        + ", and this rank is not with it; close this communicator");
            }
        }
    }

    /** Throws if the list of another rank refuses this call. The caller holds the monitor. */
    void requireNotRefused() {
        if (stands.refused().isPresent()) {
            throw refused("rank " + stands.refused().get() + " was refused");
        }
        if (stands.own().phase() != Stand.Phase.CALLED) {
            return; // ranks that exclude this one receive its state, which is ready
        }
        for (int each = 0; each < stands.size(); each++) {
            Stand stand = stands.of(each);
            if (each == stands.rank() || !stand.isOpen()) {
                continue;
            }
            if (left.contains(each) && stand.excluded().contains(stands.rank())) {
                throw refused("rank " + each + " excludes this rank");
            }
            if (excluded.contains(each) && excludesAll(stand) && !comesFirst(stand)) {
                throw refusedFor(each);
            }
        }
        Set<Integer> more = more();
        if (!more.isEmpty() && alive.containsAll(more)) {
            throw refused("ranks " + more + " are alive, and are excluded by some ranks only");
        }
    }

    private boolean excludesAll(Stand stand) {
        return stand.excluded().containsAll(left);
    }

    /**
     * Returns whether this rank's group has precedence over another one without a common rank: the larger group has; of
     * groups of equal size, the one with the lowest rank.
     */
    private boolean comesFirst(Stand other) {
        List<Integer> theirs = IntStream.range(0, stands.size())
                .filter(each -> !other.excluded().contains(each))
                .boxed()
                .toList();
        return left.size() == theirs.size() ? left.getFirst() < theirs.getFirst() : left.size() > theirs.size();
    }

    /**
     * Returns an excluded rank of another group that may still form. This rank does not become ready before that group
     * has formed or has given up. A rank that leaves counts whichever group has precedence: it waits for answers only.
     * The caller holds the monitor.
     */
    Optional<Integer> rival() {
        return excluded.stream()
                .filter(stands::isThere)
                .filter(each -> stands.of(each).mayForm() && excludesAll(stands.of(each)))
                .findFirst();
    }

    /** Returns the ranks that this rank waits for and that another remaining rank excludes. */
    private Set<Integer> more() {
        Set<Integer> more = new TreeSet<>();
        left.stream().map(stands::of).filter(Stand::isOpen).forEach(stand -> more.addAll(stand.excluded()));
        excluded.forEach(more::remove);
        return more;
    }

    /** Returns the ranks to {@link #ask} before this rank may become ready. The caller holds the monitor. */
    List<Integer> doubted() {
        return more().stream().filter(each -> !alive.contains(each)).toList();
    }

    /**
     * Asks ranks that this rank waits for and that other ranks exclude. Such a rank may be stopped, or lost without
     * this rank's knowledge so far.
     */
    void ask(List<Integer> doubted) {
        List<Integer> mute = call.silent().apply(doubted);
        doubted.stream().filter(each -> !mute.contains(each)).forEach(alive::add);
        synchronized (stands) {
            call.requireAll();
        }
        if (!mute.isEmpty()) {
            throw new OperationTimeoutException(
                    call.what() + ": ranks " + mute + " do not answer, and others exclude them: " + call.lists()
                            + "; exclude them too",
                    mute);
        }
    }

    /** Refuses this call because of an excluded rank of another group, and returns the exception. */
    InvalidArgumentException refusedFor(int each) {
        return refused("rank " + each + ", which is excluded here, calls with others");
    }

    /** Refuses this call, and returns the exception. */
    private InvalidArgumentException refused(String why) {
        stands.say(stands.own()
                .refused(IntStream.range(0, stands.size())
                        .mapToObj(each -> stands.said(each).call())
                        .toList()));
        return new InvalidArgumentException(call.what() + ": ranks call shrink with different lists, " + call.lists()
                + "; " + why + "; allowed: the same list on all ranks that are left");
    }
}
