package org.mscclj.gpu.library;

import java.lang.invoke.MethodHandles;
import java.util.List;
import org.mscclj.posix.NativeSemaphore;

/**
 * Links native functions before their first call, by initialising the classes that have them in static fields. Each
 * function takes a few milliseconds, and all functions of a driver together a tenth of a second.
 */
public final class FunctionLinking {
    private FunctionLinking() {}

    /**
     * Initialises classes, and that of semaphores, which every GPU backend uses. Idempotent.
     *
     * @param lookup of a class that can access all of them
     */
    public static void link(MethodHandles.Lookup lookup, List<Class<?>> users) {
        try {
            for (Class<?> user : users) {
                lookup.ensureInitialized(user);
            }
            MethodHandles.lookup().ensureInitialized(NativeSemaphore.class);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e); // the caller can access its classes, and the other one is public
        }
    }
}
