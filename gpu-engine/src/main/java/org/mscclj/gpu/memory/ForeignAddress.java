package org.mscclj.gpu.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.driver.PointerAttribute;

/**
 * An address of memory that other software has allocated.
 *
 * @param context of the GPU, in which the calls are made
 * @param address any address
 */
record ForeignAddress(DeviceContext context, long address) {
    /**
     * An attribute of the address. 0 if the driver does not know the address, or if the attribute does not apply to it.
     *
     * @throws org.mscclj.api.error.BackendException if the driver fails, for example because of earlier work
     */
    long get(PointerAttribute attribute) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(ValueLayout.JAVA_LONG);
            // The driver writes 4 bytes or 1 byte of some attributes; the rest stays 0.
            int result = context.driver().memory().pointerAttribute(value, attribute, address);
            if (context.driver().errors().isInvalidValue(result)
                    || context.driver().errors().isNotSupported(result)) {
                return 0;
            }
            context.driver().check(result, "reading the attribute " + attribute + " of 0x" + Long.toHexString(address));
            return value.get(ValueLayout.JAVA_LONG, 0);
        }
    }
}
