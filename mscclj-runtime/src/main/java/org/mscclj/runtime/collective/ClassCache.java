package org.mscclj.runtime.collective;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.mscclj.runtime.execution.context.PlanContext;

/**
 * What was set up, by class of calls. The most recently used classes stay. Which classes these are depends only on the
 * calls, so that all ranks hit or miss alike. For that reason an entry also stays when its buffers are closed on this
 * rank, because other ranks may close theirs later.
 */
final class ClassCache {
    private final int max;
    private final ToLongFunction<Set<PlanContext>> scratchBytes;
    private final long maxScratchBytes;
    private final Map<CallClass, SizedLaunches> classes = new HashMap<>();
    private long uses;

    /**
     * Creates an empty cache.
     *
     * @param max the greatest number of classes
     * @param scratchBytes returns the size of the scratch of some contexts, without those to which the limit does not
     *     apply
     * @param maxScratchBytes the greatest size of the scratch of all contexts of classes; the class that was put last
     *     stays in any case
     */
    ClassCache(int max, ToLongFunction<Set<PlanContext>> scratchBytes, long maxScratchBytes) {
        this.max = max;
        this.scratchBytes = scratchBytes;
        this.maxScratchBytes = maxScratchBytes;
    }

    /** Returns what was set up for a class, which counts as a use; null if nothing was. */
    @Nullable
    SizedLaunches get(CallClass of) {
        SizedLaunches known = classes.get(of);
        if (known != null) {
            use(known);
        }
        return known;
    }

    /** Counts a use of a class of this cache. */
    void use(SizedLaunches of) {
        of.used(++uses);
    }

    /** Adds what was set up for an algorithm of a class, which counts as a use. */
    void put(CallClass of, long step, CachedLaunch launch) {
        SizedLaunches sizes = classes.computeIfAbsent(of, _ -> new SizedLaunches());
        use(sizes);
        sizes.put(step, launch);
        while (classes.size() > max || (classes.size() > 1 && scratchBytes.applyAsLong(contexts()) > maxScratchBytes)) {
            classes.entrySet().stream()
                    .min(Comparator.comparingLong(entry -> entry.getValue().lastUse()))
                    .ifPresent(eldest -> {
                        classes.remove(eldest.getKey());
                        eldest.getValue().retire();
                    });
        }
    }

    /** Returns the contexts in which the kept launches run. */
    Set<PlanContext> contexts() {
        return classes.values().stream()
                .flatMap(sizes -> sizes.all().stream())
                .flatMap(launch -> launch.planContext().stream())
                .collect(Collectors.toSet());
    }
}
