package org.mscclj.gpu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.backend.cuda.standin.StandInGpu;
import org.mscclj.device.kernels.plan.BlockState;
import org.mscclj.device.kernels.plan.StateLayout;
import org.mscclj.gpu.queue.AbortWord;
import org.mscclj.gpu.queue.HostWords;
import org.mscclj.spi.engine.AbortFlag;

/** Replays are refused because of an abort itself, and not when somebody looks next. Here nobody looks. */
@ResourceLock(StandIn.RESOURCE)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CapturedStateTest {
    private static final int BLOCKS = 2;

    @RegisterExtension
    final StandInGpu gpu = new StandInGpu();

    private final AbortFlag flag = new AbortFlag();
    private EngineRank rank;
    private DeviceBuffer memory;
    private HostWords words;
    private AbortWord word;
    private CapturedState state;

    @BeforeEach
    void open() {
        rank = new EngineRank(gpu.device(), BLOCKS);
        StateLayout layout = ((GpuPlanContext) rank.context()).layout();
        memory = gpu.device().allocate(layout.byteSize());
        words = new HostWords(gpu.device());
        word = new AbortWord(0, flag, words);
        state = new CapturedState(flag, word, new BlockStates(memory, layout));
    }

    @AfterEach
    void close() {
        state.close();
        word.close();
        words.close();
        memory.close();
        rank.close();
    }

    private int left(int block) {
        MemorySegment left = MemorySegment.ofArray(new int[1]);
        memory.slice((long) block * BlockState.BYTES + BlockState.LEFT, Integer.BYTES)
                .copyTo(left);
        return left.get(ValueLayout.JAVA_INT, 0);
    }

    private void awaitRefusal() {
        while (left(BLOCKS - 1) == 0) { // the last to be marked
            Thread.onSpinWait();
        }
        assertEquals(1, left(0));
    }

    @Test
    void anAbortMarksAllBlocks() {
        state.captured();
        state.captured();
        assertEquals(0, left(0));
        flag.set("on purpose");
        awaitRefusal();
        assertFalse(state.look(), "there is nothing to look for any more");
    }

    @Test
    void whatIsCapturedAfterAnAbortIsRefusedToo() {
        flag.set("on purpose");
        state.captured();
        awaitRefusal();
    }

    @Test
    void closedMemoryIsLeftAlone() {
        state.captured();
        state.close();
        flag.set("on purpose");
        assertFalse(state.look());
        assertEquals(0, left(0));
    }
}
