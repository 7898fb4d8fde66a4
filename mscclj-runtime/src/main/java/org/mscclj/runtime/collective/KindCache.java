package org.mscclj.runtime.collective;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was set up, by kind of call. The kinds used last stay; which these are follows from the calls alone, so that all ranks find, or miss, the same. For that
 * reason an entry also stays when its buffers are closed on this rank, where that may happen earlier than on others.
 */
final class KindCache {
    private final int most;
    private final Retirement retirement;
    private final Map<CallKind, Launchable> launchables = new LinkedHashMap<>(16, 0.75f, true);

    KindCache(int most, Retirement retirement) {
        this.most = most;
        this.retirement = retirement;
    }

    @Nullable
    Launchable get(CallKind kind) {
        return launchables.get(kind);
    }

    void put(CallKind kind, Launchable launchable) {
        launchables.put(kind, launchable);
        if (launchables.size() > most) {
            Iterator<Launchable> eldest = launchables.values().iterator();
            Launchable forgotten = eldest.next();
            eldest.remove();
            forgotten.retire(retirement);
        }
    }
}
