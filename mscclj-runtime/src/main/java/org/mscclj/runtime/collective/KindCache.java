package org.mscclj.runtime.collective;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.mscclj.runtime.execution.PlanContext;

/**
 * The launchables that were set up, by kind of call. The most recently used kinds stay. Which kinds these are depends
 * only on the calls, so that all ranks hit or miss alike. For that reason an entry also stays when its buffers are
 * closed on this rank, because other ranks may close theirs later.
 */
final class KindCache {
    private final int most;
    private final ToLongFunction<Set<PlanContext>> scratchBytes;
    private final long mostScratchBytes;
    private final Retirement retirement;
    private final Map<CallKind, Launchable> launchables = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * Creates an empty cache.
     *
     * @param most the greatest number of kinds
     * @param scratchBytes returns the size of the scratch of some contexts, without those to which the limit does not
     *     apply
     * @param mostScratchBytes the greatest size of the scratch of all contexts of kinds; the kind that was put last
     *     stays in any case
     */
    KindCache(int most, ToLongFunction<Set<PlanContext>> scratchBytes, long mostScratchBytes, Retirement retirement) {
        this.most = most;
        this.scratchBytes = scratchBytes;
        this.mostScratchBytes = mostScratchBytes;
        this.retirement = retirement;
    }

    @Nullable
    Launchable get(CallKind kind) {
        return launchables.get(kind);
    }

    void put(CallKind kind, Launchable launchable) {
        launchables.put(kind, launchable);
        while (launchables.size() > most
                || (launchables.size() > 1 && scratchBytes.applyAsLong(contexts()) > mostScratchBytes)) {
            Iterator<Launchable> eldest = launchables.values().iterator();
            Launchable forgotten = eldest.next();
            eldest.remove();
            forgotten.retire(retirement);
        }
    }

    /** Returns the contexts in which the kept launchables run. */
    Set<PlanContext> contexts() {
        return launchables.values().stream().map(Launchable::context).collect(Collectors.toSet());
    }
}
