package org.mscclj.backend.cuda.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.device.kernels.plan.BlockState;

/**
 * What the blocks of a context keep on the GPU from launch to launch, as the host reads and changes it while kernels run.
 *
 * @param state where it starts
 * @param blocks how many
 */
record BlockStates(DeviceBuffer state, int blocks) {
    /** Makes every block end at once, whatever is launched from now on. */
    void refuse() {
        MemorySegment left = MemorySegment.ofArray(new int[] {1});
        for (int block = 0; block < blocks; block++) {
            state.slice((long) block * BlockState.BYTES + BlockState.LEFT, Integer.BYTES)
                    .copyFrom(left);
        }
    }

    /** Whether more launches of a block have begun than have ended. */
    boolean areAtWork() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment states = arena.allocate((long) blocks * BlockState.BYTES, Long.BYTES);
            state.slice(0, states.byteSize()).copyTo(states);
            for (long at = 0; at < states.byteSize(); at += BlockState.BYTES) {
                if (states.get(ValueLayout.JAVA_LONG, at + BlockState.BEGUN)
                        != states.get(ValueLayout.JAVA_LONG, at + BlockState.ENDED)) {
                    return true;
                }
            }
            return false;
        }
    }
}
