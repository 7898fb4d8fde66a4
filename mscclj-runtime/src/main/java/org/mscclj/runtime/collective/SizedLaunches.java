package org.mscclj.runtime.collective;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mscclj.runtime.selection.AlgorithmSelection;
import org.mscclj.runtime.selection.Choice;

/**
 * What was set up for the calls of a class, by size. Each rank finds alone, for any size, what serves it: the selection
 * of an algorithm and what was set up are equal on all ranks.
 */
final class SizedLaunches {
    /** The most sizes whose algorithm is remembered. */
    private static final int MAX_SIZES = 1024;

    private final List<CachedLaunch> launches = new ArrayList<>();

    /** By the step of the size; see {@link AlgorithmSelection#step}. */
    private final Map<Long, CachedLaunch> byStep = new HashMap<>();

    private long lastUse;

    /** Records a use of the class. Uses are numbered in the order of time. */
    void used(long number) {
        lastUse = number;
    }

    /** Returns the number of the last use. */
    long lastUse() {
        return lastUse;
    }

    /**
     * Returns what serves calls of a size; null if the ranks must set that up.
     *
     * @param step sizes with equal steps have the same algorithm
     * @param choosing selects the algorithm of the size
     */
    @Nullable
    CachedLaunch find(long step, long sliceBytes, Supplier<Choice> choosing) {
        CachedLaunch known = byStep.get(step);
        if (known == null) {
            known = of(choosing.get());
            if (known == null) {
                return null;
            }
            remember(step, known);
        }
        return known.serves(sliceBytes) ? known : null;
    }

    /** Returns what was set up for an algorithm; null if nothing was. */
    @Nullable
    CachedLaunch of(Choice choice) {
        for (CachedLaunch launch : launches) {
            if (launch.choice().isSame(choice)) {
                return launch;
            }
        }
        return null;
    }

    /** Adds what was set up for an algorithm. It replaces what was set up for it before. */
    void put(long step, CachedLaunch launch) {
        CachedLaunch before = of(launch.choice());
        if (before != null) {
            launches.remove(before);
            byStep.values().removeIf(before::equals);
            before.retire();
        }
        launches.add(launch);
        remember(step, launch);
    }

    private void remember(long step, CachedLaunch launch) {
        if (byStep.size() >= MAX_SIZES) {
            byStep.clear();
        }
        byStep.put(step, launch);
    }

    List<CachedLaunch> all() {
        return launches;
    }

    void retire() {
        launches.forEach(CachedLaunch::retire);
        launches.clear();
        byStep.clear();
    }
}
