package org.mscclj.backend.cuda.ffm;

import java.lang.invoke.MethodHandles;
import java.util.List;
import org.mscclj.gpu.library.FunctionLinking;

/** Links the functions of the driver, of NVRTC and of semaphores that this backend uses, before their first call. */
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
        FunctionLinking.link(MethodHandles.lookup(), USERS);
    }
}
