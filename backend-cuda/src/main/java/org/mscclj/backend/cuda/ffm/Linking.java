package org.mscclj.backend.cuda.ffm;

import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.stream.Stream;
import org.mscclj.posix.NativeSemaphore;

/**
 * Links the functions of the driver, of NVRTC and of semaphores that this backend uses, before their first call. Each
 * function takes a few milliseconds, and all together a tenth of a second.
 */
public final class Linking {
    /** The classes of this package that have functions of these libraries. */
    static final List<Class<?>> USERS = List.of(
            Driver.class,
            Contexts.class,
            Errors.class,
            Streams.class,
            Events.class,
            VirtualMemory.class,
            Copies.class,
            Launches.class,
            Graphs.class,
            OtherMemory.class,
            Nvrtc.class);

    private Linking() {}

    /** Links all functions. Idempotent. */
    public static void linkAll() {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        for (Class<?> user :
                Stream.concat(USERS.stream(), Stream.of(NativeSemaphore.class)).toList()) {
            try {
                lookup.ensureInitialized(user);
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e); // all are in this package, or public
            }
        }
    }
}
