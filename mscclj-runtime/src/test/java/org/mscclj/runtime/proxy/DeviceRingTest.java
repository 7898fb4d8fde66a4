package org.mscclj.runtime.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.runtime.proxy.RecordingConnection.FakeMemory;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.proxy.Trigger;
import org.mscclj.spi.proxy.TriggerFifo;

/** An agent whose ring a device pushes into: nobody wakes it. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DeviceRingTest {
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();
    private static final int CAPACITY = 4;
    private static final FakeMemory COUNTERS = new FakeMemory("counters", 1024);

    private final Backend backend = HostRank.openBackend();
    private final ProxyService service = new ProxyService("test-device-proxy");
    private final List<String> log = RecordingConnection.newLog();
    private final AbortFlag abort = new AbortFlag();
    private final List<DeviceBuffer> allocated = new ArrayList<>();
    private final ProxyAgent agent = service.open(new ProxyAgentSpec(
            "rank 0 of test",
            pushing(backend.openDevice(0)),
            CAPACITY,
            true,
            Duration.ofSeconds(30),
            abort,
            FaultHandler.of(abort)));
    private final int semaphore = agent.addSemaphore(7, new RecordingConnection("peer", log), COUNTERS, 8);
    private long head;

    /** The device, but for who pushes; notes what is allocated. */
    private BackendDevice pushing(BackendDevice device) {
        return (BackendDevice) Proxy.newProxyInstance(
                BackendDevice.class.getClassLoader(),
                new Class<?>[] {BackendDevice.class},
                (_, method, arguments) ->
                        method.getName().equals("pushesTriggers") ? true : noted(invoke(device, method, arguments)));
    }

    private static Object invoke(BackendDevice device, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(device, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private Object noted(Object result) {
        if (result instanceof DeviceBuffer buffer) {
            allocated.add(buffer);
        }
        return result;
    }

    @AfterEach
    void close() {
        abort.set("the test is over");
        service.close();
        backend.close();
    }

    /** As a device does; waits while the ring is full. */
    private long push(int type) {
        MemorySegment shared = allocated.getFirst().segment();
        long position = head++;
        while (position - (long) WORD.getAcquire(shared, TriggerFifo.tailOffset(CAPACITY)) >= CAPACITY) {
            Thread.onSpinWait();
        }
        long slot = position % CAPACITY * TriggerFifo.SLOT_BYTES;
        long lap = position / CAPACITY % 2 == 0 ? 1L << 63 : 0;
        WORD.set(shared, slot, 0L);
        WORD.setRelease(shared, slot + Long.BYTES, Trigger.word1(0, 0, 0, type, semaphore) | lap);
        return position;
    }

    private void awaitFlushed(long position) {
        MemorySegment shared = allocated.getFirst().segment();
        long word = TriggerFifo.flushedOffset(CAPACITY) + (long) semaphore * Long.BYTES;
        while ((long) WORD.getAcquire(shared, word) <= position) {
            Thread.onSpinWait();
        }
    }

    @Test
    void triggersOfADeviceAreCarriedOutAndItsFlushesAnswered() {
        for (int i = 0; i < 20; i++) {
            push(Trigger.SIGNAL);
            awaitFlushed(push(Trigger.SIGNAL | Trigger.FLUSH));
            assertEquals(2 * (i + 1), log.size());
        }
        agent.drain();
        assertEquals(head, agent.fifo().position());
    }

    @Test
    void idsCanBeGivenBackWhenTheAgentIsClosed() {
        int memory = agent.addLocalMemory(new FakeMemory("own", 64));
        agent.close();
        agent.removeLocalMemory(memory);
        agent.removeSemaphore(semaphore);
    }

    @Test
    void theRingIsFreedWithTheAgent() {
        awaitFlushed(push(Trigger.SIGNAL | Trigger.FLUSH));
        assertEquals(2, allocated.size());
        assertEquals(allocated.get(1).address(), agent.fifo().headAddress());
        MemorySegment shared = allocated.getFirst().segment();
        agent.close();
        assertThrows(IllegalStateException.class, () -> shared.get(ValueLayout.JAVA_LONG, 0));
        assertTrue(log.contains("peer: signal counters+8"));
    }
}
