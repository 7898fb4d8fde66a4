package org.mscclj.runtime.execution.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.runtime.control.Nodes;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.MappedMemory;
import org.mscclj.spi.device.MemoryHandle;

/** Counters that somebody reads who looks for a fault, whoever closes their context meanwhile. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MappedContextsTest {
    private static final long VALUE = 7;

    private final CountDownLatch reading = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile boolean unmapped;
    private volatile boolean unmappedWhileRead;

    private final MappedMemory memory = new MappedMemory() {
        @Override
        public long address() {
            return 4096;
        }

        @Override
        public long byteSize() {
            return 64;
        }

        @Override
        public void close() {
            unmapped = true;
        }
    };

    private MappedContexts mapped() {
        BackendDevice device = (BackendDevice) Proxy.newProxyInstance(
                BackendDevice.class.getClassLoader(),
                new Class<?>[] {BackendDevice.class},
                (_, method, _) -> switch (method.getName()) {
                    case "canMap" -> true;
                    case "map" -> memory;
                    case "readCounter" -> {
                        reading.countDown();
                        over.await();
                        unmappedWhileRead = unmapped;
                        yield VALUE;
                    }
                    default -> throw new UnsupportedOperationException(method.getName());
                });
        MappedContexts mapped = new MappedContexts(device);
        MemoryHandle handle = new MemoryHandle("test", new byte[1]);
        mapped.map(List.of(new ContextDescription(64, handle, handle)), 0, Nodes.one(1));
        return mapped;
    }

    @Test
    void nothingIsReadThatIsClosed() {
        MappedContexts mapped = mapped();
        over.countDown();
        assertEquals(VALUE, mapped.counter(0, 0));
        mapped.close();
        assertTrue(unmapped);
        assertEquals(-1, mapped.counter(0, 0));
    }

    @Test
    void whatIsReadIsNotUnmapped() throws InterruptedException {
        MappedContexts mapped = mapped();
        Thread reader = Thread.ofPlatform().start(() -> mapped.counter(0, 0));
        reading.await();
        Thread closing = Thread.ofPlatform().start(mapped::close);
        while (closing.isAlive() && closing.getState() != Thread.State.BLOCKED) {
            Thread.onSpinWait();
        }
        over.countDown();
        reader.join();
        closing.join();
        assertFalse(unmappedWhileRead);
    }
}
