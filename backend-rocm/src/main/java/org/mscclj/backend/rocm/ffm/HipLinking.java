package org.mscclj.backend.rocm.ffm;

import java.lang.invoke.MethodHandles;
import java.util.List;
import org.mscclj.gpu.library.FunctionLinking;

/** Links the functions of HIP, of hipRTC and of semaphores that this backend uses, before their first call. */
public final class HipLinking {
    /** The classes of this package that have functions of these libraries. */
    static final List<Class<?>> USERS = List.of(
            HipRuntime.class,
            HipContexts.class,
            HipErrors.class,
            HipDevices.class,
            HipStreams.class,
            HipEvents.class,
            HipMemory.class,
            HipCopies.class,
            HipCode.class,
            HipLaunches.class,
            HipGraphs.class,
            HipRtc.class,
            CompilerTargets.class);

    private HipLinking() {}

    /** Links all functions. Idempotent. */
    public static void linkAll() {
        FunctionLinking.link(MethodHandles.lookup(), USERS);
    }
}
