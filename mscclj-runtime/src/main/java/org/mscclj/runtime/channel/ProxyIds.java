package org.mscclj.runtime.channel;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import org.mscclj.runtime.proxy.ProxyAgent;

/** The ids of one memory in the proxy agents that know it, for each transport. Used under the memory's lock. */
final class ProxyIds {
    private record Key(ProxyAgent agent, String transport) {}

    /** Takes an id back. */
    @FunctionalInterface
    interface Removal {
        /** Takes it back from an agent. */
        void remove(ProxyAgent agent, int id);
    }

    private final Map<Key, Integer> ids = new HashMap<>();

    /** The id of an agent for a transport, added if it is new. */
    int get(ProxyAgent agent, String transport, IntSupplier adding) {
        return ids.computeIfAbsent(new Key(agent, transport), _ -> adding.getAsInt());
    }

    /** Forgets all ids, and adds to {@code closings} what takes them back. */
    void removeAll(Removal removal, List<AutoCloseable> closings) {
        ids.forEach((key, id) -> closings.add(() -> removal.remove(key.agent(), id)));
        ids.clear();
    }
}
