package org.mscclj.gpu.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.device.kernels.plan.BlockState;
import org.mscclj.device.kernels.plan.StateLayout;

/**
 * The state that the thread blocks of a context keep on the GPU from launch to launch. The host reads and changes it
 * while kernels run.
 *
 * @param state the memory of the state
 * @param layout the offsets in the state
 */
record BlockStates(DeviceBuffer state, StateLayout layout) {
    /** Makes every block of every launch from now on end at once. */
    void refuse() {
        MemorySegment left = MemorySegment.ofArray(new int[] {1});
        for (int block = 0; block < layout.blocks(); block++) {
            state.slice((long) block * BlockState.BYTES + BlockState.LEFT, Integer.BYTES)
                    .copyFrom(left);
        }
    }

    /** Whether a block has begun more launches than it has ended, or this rank's elements are being scaled. */
    boolean areAtWork() {
        return atWork() != 0;
    }

    /**
     * The number of launches that all blocks together have begun, at least 1, if one has not ended or this rank's
     * elements are being scaled; else 0.
     */
    long atWork() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment states = read(arena, 0, (long) layout.blocks() * BlockState.BYTES);
            boolean working = false;
            long begun = 0;
            for (long at = 0; at < states.byteSize(); at += BlockState.BYTES) {
                begun += states.get(ValueLayout.JAVA_LONG, at + BlockState.BEGUN);
                working |= states.get(ValueLayout.JAVA_LONG, at + BlockState.BEGUN)
                        != states.get(ValueLayout.JAVA_LONG, at + BlockState.ENDED);
            }
            boolean scales = read(arena, layout.scaling(), Long.BYTES).get(ValueLayout.JAVA_LONG, 0) != 0;
            return working || scales ? Math.max(1, begun) : 0; // addends are made before the first launch begins
        }
    }

    /**
     * Whether some blocks have begun more launches than others. In a launch that began while {@link #refuse} was under
     * way, blocks may wait for refused blocks.
     */
    boolean areApart() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment states = read(arena, 0, (long) layout.blocks() * BlockState.BYTES);
            long first = states.get(ValueLayout.JAVA_LONG, BlockState.BEGUN);
            for (long at = BlockState.BYTES; at < states.byteSize(); at += BlockState.BYTES) {
                if (states.get(ValueLayout.JAVA_LONG, at + BlockState.BEGUN) != first) {
                    return true;
                }
            }
            return false;
        }
    }

    private MemorySegment read(Arena arena, long offset, long bytes) {
        MemorySegment copy = arena.allocate(bytes, Long.BYTES);
        state.slice(offset, bytes).copyTo(copy);
        return copy;
    }
}
