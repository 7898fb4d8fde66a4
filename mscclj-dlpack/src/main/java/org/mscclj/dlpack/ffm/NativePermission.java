package org.mscclj.dlpack.ffm;

import java.lang.foreign.MemorySegment;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.posix.NativeAccess;

/** Whether this module may call native code. */
public final class NativePermission {
    private NativePermission() {}

    /**
     * Says what to do if it may not.
     *
     * @throws UnsupportedException if it may not
     */
    public static void require() {
        NativeAccess.refusal(NativePermission.class.getModule(), NativePermission::tryRestrictedCall)
                .ifPresent(reason -> {
                    throw new UnsupportedException(reason);
                });
    }

    @SuppressWarnings("restricted") // to find out whether it is allowed
    private static void tryRestrictedCall() {
        MemorySegment _ = MemorySegment.NULL.reinterpret(0);
    }
}
