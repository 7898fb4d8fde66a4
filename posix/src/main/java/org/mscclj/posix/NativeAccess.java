package org.mscclj.posix;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Whether modules may call native code. */
public final class NativeAccess {
    private NativeAccess() {}

    /** Why this module may not, and what to do; empty if it may. */
    @SuppressWarnings("restricted") // to find out whether it is allowed
    public static Optional<String> refusal() {
        return refusal(NativeAccess.class.getModule(), () -> {
            MemorySegment _ = MemorySegment.NULL.reinterpret(0);
        });
    }

    /**
     * Why another module may not, and what to do; empty if it may.
     *
     * @param restricted a restricted call in code of that module: Java looks at the caller
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
