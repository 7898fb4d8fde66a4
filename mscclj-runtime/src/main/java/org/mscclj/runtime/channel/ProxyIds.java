package org.mscclj.runtime.channel;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import org.mscclj.runtime.proxy.ProxyAgent;

/** The ids of one memory in the proxy agents that know it, for each transport. The caller holds the memory's lock. */
final class ProxyIds {
    private record Key(ProxyAgent agent, String transport) {}

    /** Removes an id. */
    @FunctionalInterface
    interface Removal {
        /** Removes an id from an agent. */
        void remove(ProxyAgent agent, int id);
    }

    private final Map<Key, Integer> ids = new HashMap<>();

    /** Returns the id in an agent for a transport; adds the memory if it has none. */
    int get(ProxyAgent agent, String transport, IntSupplier adding) {
        return ids.computeIfAbsent(new Key(agent, transport), _ -> adding.getAsInt());
    }

    /** Forgets all ids, and adds their removals to {@code closings}. */
    void removeAll(Removal removal, List<AutoCloseable> closings) {
        ids.forEach((key, id) -> closings.add(() -> removal.remove(key.agent(), id)));
        ids.clear();
    }
}
