package org.mscclj.dlpack.ffm;

import java.lang.foreign.MemorySegment;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.posix.NativeAccess;

/** Checks whether this module may call native code. */
public final class NativePermission {
    private NativePermission() {}

    /**
     * Requires the permission; the message of the exception says how to grant it.
     *
     * @throws UnsupportedException if this module may not call native code
     */
    public static void require() {
        NativeAccess.refusal(NativePermission.class.getModule(), NativePermission::tryRestrictedCall)
                .ifPresent(reason -> {
                    throw new UnsupportedException(reason);
                });
    }

    @SuppressWarnings("restricted") // finds out whether it is allowed
    private static void tryRestrictedCall() {
        MemorySegment _ = MemorySegment.NULL.reinterpret(0);
    }
}
