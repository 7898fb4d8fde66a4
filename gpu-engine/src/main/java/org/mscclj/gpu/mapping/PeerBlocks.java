package org.mscclj.gpu.mapping;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
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

    /** Undoes {@link #map}. */
    public synchronized void unmap(Key key) {
        Use use = uses.get(key);
        if (use != null && --use.users == 0) {
            uses.remove(key);
            try (DeviceContext context = use.context) {
                context.run(use.range::unmap);
            }
        }
    }
}
