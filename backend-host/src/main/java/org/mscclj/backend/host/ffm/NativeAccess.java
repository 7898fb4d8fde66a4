package org.mscclj.backend.host.ffm;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Whether this module may call native code: without that it reaches no memory. */
public final class NativeAccess {
    private NativeAccess() {}

    /** Why it may not, and what to do; empty if it may. */
    @SuppressWarnings("restricted") // to find out whether it is allowed
    public static Optional<String> unavailable() {
        try {
            MemorySegment _ = MemorySegment.NULL.reinterpret(0);
            return Optional.empty();
        } catch (IllegalCallerException _) {
            Module module = NativeAccess.class.getModule();
            return Optional.of((module.isNamed() ? "module " + module.getName() : "code on the class path")
                    + " may not call native code; start Java with --enable-native-access="
                    + (module.isNamed() ? module.getName() : "ALL-UNNAMED"));
        }
    }
}
