package org.mscclj.backend.cuda.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mscclj.backend.cuda.context.DeviceContext;

/** What the driver knows about an address. */
enum PointerAttribute {
    /** The context in which it was allocated. */
    CONTEXT(1),
    /** {@link #ON_DEVICE} for memory of a GPU. */
    MEMORY_TYPE(2),
    /** Tells the allocation apart from all others of this process, at any time. */
    BUFFER_ID(7),
    /** Not 0 for managed memory. */
    MANAGED(8),
    /** The GPU. */
    DEVICE_ORDINAL(9),
    /** Where the allocation starts, or the addresses that were reserved for virtual memory. */
    RANGE_START(11),
    /** Its size, or that of the reserved addresses. */
    RANGE_SIZE(12),
    /** In which forms virtual memory can be handed to other processes, as bits. */
    HANDLE_TYPES(14),
    /** The pool that it is from; 0 if from none. */
    POOL(17);

    /** The {@link #MEMORY_TYPE} of memory of a GPU. */
    static final long ON_DEVICE = 2;

    private final int number;

    PointerAttribute(int number) {
        this.number = number;
    }

    /**
     * Of an address that the driver does not know, 0; as of an attribute that does not apply. In the context of the
     * GPU.
     *
     * @throws org.mscclj.api.error.BackendException if the driver fails, because of earlier work, say
     */
    long of(DeviceContext context, long address) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(ValueLayout.JAVA_LONG);
            // Of some only 4 bytes are written, or one; the rest stays 0.
            int result = context.driver().memory().pointerAttribute(value, number, address);
            if (context.driver().errors().isInvalidValue(result)
                    || context.driver().errors().isNotSupported(result)) { // what it says of both
                return 0;
            }
            context.driver()
                    .check(result, "cuPointerGetAttribute of the " + this + " of 0x" + Long.toHexString(address));
            return value.get(ValueLayout.JAVA_LONG, 0);
        }
    }
}
