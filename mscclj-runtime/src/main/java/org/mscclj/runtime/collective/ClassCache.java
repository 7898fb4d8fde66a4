package org.mscclj.runtime.collective;

import java.util.Iterator;
import java.util.LinkedHashMap;
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
    private final Map<CallClass, SizedLaunches> classes = new LinkedHashMap<>(16, 0.75f, true);

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

    @Nullable
    SizedLaunches get(CallClass of) {
        return classes.get(of);
    }

    void put(CallClass of, long step, CachedLaunch launch) {
        classes.computeIfAbsent(of, _ -> new SizedLaunches()).put(step, launch);
        while (classes.size() > max || (classes.size() > 1 && scratchBytes.applyAsLong(contexts()) > maxScratchBytes)) {
            Iterator<SizedLaunches> eldest = classes.values().iterator();
            SizedLaunches forgotten = eldest.next();
            eldest.remove();
            forgotten.retire();
        }
    }

    /** Returns the contexts in which the kept launches run. */
    Set<PlanContext> contexts() {
        return classes.values().stream()
                .flatMap(sizes -> sizes.all().stream())
                .map(CachedLaunch::context)
                .collect(Collectors.toSet());
    }
}
