package org.mscclj.posix;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Checks whether modules may call native code. */
public final class NativeAccess {
    private NativeAccess() {}

    /** Returns why this module may not call native code, and what to do; empty if it may. */
    @SuppressWarnings("restricted") // checks whether it is allowed
    public static Optional<String> refusal() {
        return refusal(NativeAccess.class.getModule(), () -> {
            MemorySegment _ = MemorySegment.NULL.reinterpret(0);
        });
    }

    /**
     * Returns why another module may not call native code, and what to do; empty if it may.
     *
     * @param restricted a restricted call in code of that module, since Java checks the caller
     */
    public static Optional<String> refusal(Module module, Runnable restricted) {
        try {
            restricted.run();
            return Optional.empty();
        } catch (IllegalCallerException _) {
            return Optional.of((module.isNamed() ? "module " + module.getName() : "code on the class path")
                    + " may not call native code; start Java with --enable-native-access="
                    + (module.isNamed() ? module.getName() : "ALL-UNNAMED"));
        }
    }
}
