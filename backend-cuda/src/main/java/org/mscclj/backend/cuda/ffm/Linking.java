package org.mscclj.backend.cuda.ffm;

import java.lang.invoke.MethodHandles;
import java.util.List;

/**
 * Links what this backend calls of the driver and of NVRTC before anybody calls it: each function takes a few
 * milliseconds, and all together a tenth of a second.
 */
public final class Linking {
    /** Those that have functions of these libraries. */
    static final List<Class<?>> USERS = List.of(
            Driver.class,
            Streams.class,
            Events.class,
            VirtualMemory.class,
            Copies.class,
            Launches.class,
            Semaphore.class,
            Captures.class,
            Graphs.class,
            ForeignMemory.class,
            Nvrtc.class);

    private Linking() {}

    /** Links them all. Idempotent. */
    public static void linkAll() {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        for (Class<?> user : USERS) {
            try {
                lookup.ensureInitialized(user);
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e); // all are in this package
            }
        }
    }
}
