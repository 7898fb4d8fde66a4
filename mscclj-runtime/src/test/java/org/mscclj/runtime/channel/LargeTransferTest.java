package org.mscclj.runtime.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.runtime.proxy.FaultHandler;
import org.mscclj.runtime.proxy.HostRank;
import org.mscclj.runtime.proxy.ProxyAgent;
import org.mscclj.runtime.proxy.ProxyAgentSpec;
import org.mscclj.runtime.proxy.ProxyService;
import org.mscclj.runtime.proxy.RecordingConnection;
import org.mscclj.runtime.proxy.RecordingConnection.FakeMemory;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.proxy.Trigger;

/**
 * Transfers past 4 GiB, over a transport that only writes down what it is asked: the pieces must add up to the
 * transfer.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LargeTransferTest {
    private static final long GIB = 1L << 30;

    @Test
    void aTransferOfManyGibibytesIsSplitAndNeverTruncated() {
        List<String> log = new CopyOnWriteArrayList<>();
        AbortFlag abort = new AbortFlag();
        try (Backend backend = HostRank.openBackend();
                ProxyService service = new ProxyService("large");
                ProxyAgent agent = service.open(new ProxyAgentSpec(
                        "rank 0 of test",
                        backend.openDevice(0),
                        4,
                        false,
                        Duration.ofSeconds(30),
                        abort,
                        FaultHandler.of(abort)))) {
            int source = agent.addLocalMemory(new FakeMemory("source", 20 * GIB));
            int target = agent.addRemoteMemory(new FakeMemory("target", 20 * GIB));
            int semaphore =
                    agent.addSemaphore(7, new RecordingConnection("wire", log), new FakeMemory("counters", 128), 0);
            TransferWords words = new TransferWords(semaphore, source, target);
            // from 3 GiB + 16 to 5 GiB + 32: windows of source and target end at different places
            long from = 3 * GIB + 16;
            long to = 5 * GIB + 32;
            long left = 9 * GIB + 8;
            long last = -1;
            while (left > 0) {
                long moved = Trigger.fit(from, to, left);
                int type = left == moved ? Trigger.DATA | Trigger.FLUSH : Trigger.DATA;
                long position = agent.fifo().tryPush(words.word0(from, moved), words.word1(from, to, type));
                if (position >= 0) {
                    last = position;
                    from += moved;
                    to += moved;
                    left -= moved;
                }
            }
            while (agent.fifo().flushed(semaphore) <= last) {
                Thread.onSpinWait();
            }
        }
        assertEquals(
                List.of(
                        write(3 * GIB + 16, 5 * GIB + 32, GIB - 16),
                        write(4 * GIB, 6 * GIB + 16, 2 * GIB - 16),
                        write(6 * GIB - 16, 8 * GIB, 2 * GIB + 16),
                        write(8 * GIB, 10 * GIB + 16, 2 * GIB - 16),
                        write(10 * GIB - 16, 12 * GIB, 2 * GIB + 16),
                        write(12 * GIB, 14 * GIB + 16, 24)),
                log);
    }

    private static String write(long from, long to, long bytes) {
        return "wire: write source+" + from + " to target+" + to + ", " + bytes + " bytes";
    }
}
