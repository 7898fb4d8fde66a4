package org.mscclj.backend.host.step.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SignalCountsTest {
    @Test
    void countsEachChannelByItself() {
        SignalCounts counts =
                new SignalCounts(40, List.of(IntStream.range(0, 39).boxed().toList(), List.of(39)));
        for (int round = 1; round <= 3; round++) {
            for (int channel = 0; channel < 40; channel++) {
                assertEquals(round, counts.next(channel), "channel " + channel);
            }
        }
    }

    @Test
    void countsEachChannelOfManyBlocksByItself() {
        SignalCounts counts =
                new SignalCounts(300, IntStream.range(0, 300).mapToObj(List::of).toList());
        for (int round = 1; round <= 3; round++) {
            for (int channel = 0; channel < 300; channel++) {
                assertEquals(round, counts.next(channel), "channel " + channel);
            }
        }
    }

    @Test
    void aBlockThatListsAChannelTwiceUsesItAlone() {
        SignalCounts counts = new SignalCounts(2, List.of(List.of(0, 0), List.of(1)));
        assertFalse(counts.isShared(0));
        assertFalse(counts.isShared(1));
    }

    @Test
    void blocksThatShareAChannelLoseNoCount() throws InterruptedException {
        SignalCounts counts = new SignalCounts(3, List.of(List.of(0, 1), List.of(1, 2)));
        assertTrue(counts.isShared(1));
        int each = 100_000;
        List<Thread> blocks = IntStream.of(0, 2)
                .mapToObj(own -> new Thread(() -> {
                    for (int i = 0; i < each; i++) {
                        counts.next(own);
                        counts.next(1);
                    }
                }))
                .toList();
        blocks.forEach(Thread::start);
        for (Thread block : blocks) {
            block.join();
        }
        assertEquals(2 * each + 1, counts.next(1));
        assertEquals(each + 1, counts.next(0));
        assertEquals(each + 1, counts.next(2));
    }
}
