package org.mscclj.runtime.proxy;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.runtime.proxy.MemoryTable.Window;
import org.mscclj.spi.proxy.Trigger;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.RemoteMemory;
import org.mscclj.spi.transport.TransportConnection;

/**
 * Memory and semaphores that the ids in the triggers of a ring name. Any thread adds and removes ids, while the agent
 * looks them up.
 */
final class TriggerIds {
    private final String name;
    private final MemoryTable<LocalMemory> locals;
    private final MemoryTable<RemoteMemory> remotes;
    private final AtomicReferenceArray<@Nullable ProxySemaphore> semaphores =
            new AtomicReferenceArray<>(Trigger.SEMAPHORE_IDS);

    /** Creates an empty table for an agent of this name. */
    TriggerIds(String name) {
        this.name = name;
        this.locals = new MemoryTable<>(name + ", local memory");
        this.remotes = new MemoryTable<>(name + ", remote memory");
    }

    int addLocalMemory(LocalMemory memory) {
        return locals.add(memory, memory.byteSize());
    }

    int addRemoteMemory(RemoteMemory memory) {
        return remotes.add(memory, memory.byteSize());
    }

    int addSemaphore(int peer, TransportConnection connection, RemoteMemory counters, long counterOffset) {
        if (counterOffset < 0 || counterOffset % Long.BYTES != 0 || counterOffset > counters.byteSize() - Long.BYTES) {
            throw InvalidArgumentException.of(
                    "counter offset", counterOffset, "multiples of 8 from 0 to " + (counters.byteSize() - Long.BYTES));
        }
        synchronized (semaphores) {
            for (int id = 0; id < semaphores.length(); id++) {
                if (semaphores.get(id) == null) {
                    semaphores.set(id, new ProxySemaphore(id, peer, connection, counters, counterOffset));
                    return id;
                }
            }
        }
        throw new InvalidArgumentException(name + ": all " + Trigger.SEMAPHORE_IDS
                + " semaphore ids are in use; close semaphores that are not needed, or use a plan with"
                + " fewer port channels");
    }

    void removeLocalMemory(int firstId) {
        locals.remove(firstId);
    }

    void removeRemoteMemory(int firstId) {
        remotes.remove(firstId);
    }

    void removeSemaphore(int id) {
        semaphores.set(id, null);
    }

    @Nullable
    ProxySemaphore semaphore(int id) {
        return semaphores.get(id);
    }

    @Nullable
    Window<LocalMemory> local(int id) {
        return locals.window(id);
    }

    @Nullable
    Window<RemoteMemory> remote(int id) {
        return remotes.window(id);
    }
}
