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
 * What was set up, by kind of call. The kinds used last stay; which these are follows from the calls alone, so that all
 * ranks find, or miss, the same. For that reason an entry also stays when its buffers are closed on this rank, where
 * that may happen earlier than on others.
 */
final class KindCache {
    private final int most;
    private final ToLongFunction<Set<PlanContext>> scratchBytes;
    private final long mostScratchBytes;
    private final Retirement retirement;
    private final Map<CallKind, Launchable> launchables = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * An empty cache.
     *
     * @param most greatest number of kinds
     * @param scratchBytes size of the scratch of contexts, as far as it is limited
     * @param mostScratchBytes greatest size of the scratch of all contexts of kinds; the kind that is put last is kept
     *     whatever it has
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

    /** Where what is kept runs. */
    Set<PlanContext> contexts() {
        return launchables.values().stream().map(Launchable::context).collect(Collectors.toSet());
    }
}
