package org.mscclj.dlpack.ffm;

import java.lang.foreign.MemorySegment;
import org.mscclj.api.error.UnsupportedException;

/** Whether this module may call native code. */
public final class NativeAccess {
    private NativeAccess() {}

    /**
     * Says what to do if it may not.
     *
     * @throws UnsupportedException if it may not
     */
    @SuppressWarnings("restricted") // to find out whether it is allowed
    public static void require() {
        try {
            MemorySegment _ = MemorySegment.NULL.reinterpret(0);
        } catch (IllegalCallerException _) {
            throw new UnsupportedException("module org.mscclj.dlpack may not call native code; start Java with"
                    + " --enable-native-access=org.mscclj.dlpack (on the class path ALL-UNNAMED)");
        }
    }
}
