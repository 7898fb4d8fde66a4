package org.mscclj.gpu.mapping;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.context.Gpu;

/**
 * Blocks and allocations of peers that are mapped for GPUs of this process. Each is mapped once for each GPU, however
 * often it is used. Safe for use by several threads.
 */
public final class PeerBlocks {
    /** A block of a process, and the GPU that it is mapped for. */
    public record Key(long process, long block, Gpu gpu) {}

    private static final class Use {
        final DeviceContext context;
        final PeerRange range;
        int users;

        Use(PeerRange range, DeviceContext context) {
            this.range = range;
            this.context = context.share();
        }
    }

    private final Map<Key, Use> uses = new HashMap<>();

    /**
     * Returns the address of a block for a GPU, and maps it if it is not mapped yet. Undone by {@link #unmap}.
     *
     * @param source makes the mapping, in the GPU's context
     */
    public synchronized long map(DeviceContext context, Key key, Supplier<? extends PeerRange> source) {
        Use use = uses.get(key);
        if (use == null) {
            use = new Use(context.within(source::get), context);
            uses.put(key, use);
        }
        use.users++;
        return use.range.address();
    }

    /** Undoes {@link #map}. The memory is unmapped when the driver does not wait for kernels to do it. */
    public void unmap(Key key) {
        Use unused = drop(key);
        if (unused != null) { // without the lock, which the task takes
            unused.range.whenUnmappable(unused.context, () -> unmapUnlessUsed(key, unused));
        }
    }

    private synchronized @Nullable Use drop(Key key) {
        Use use = uses.get(key);
        return use != null && --use.users == 0 ? use : null;
    }

    /** Unmaps memory, unless it was mapped again, or has been unmapped, in the meantime. */
    private synchronized void unmapUnlessUsed(Key key, Use use) {
        if (use.users == 0 && uses.remove(key, use)) {
            try (DeviceContext context = use.context) {
                context.run(use.range::unmap);
            }
        }
    }
}
