package org.mscclj.transport.nvls;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.BackendException;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.DeviceMulticast;
import org.mscclj.spi.device.MulticastObject;

/**
 * Multicast without a switch. It records the calls, and fails calls in an order that the driver refuses: a member that
 * binds before all devices have been added, and a member that uses an object after its close. A test can make a call
 * fail or block.
 */
final class FakeMulticast {
    static final long GRANULARITY = 4096;
    static final long BASE = 0x7000_0000L;

    private static final class Shared {
        final int members;
        int added;
        int views;

        Shared(int members) {
            this.members = members;
        }
    }

    private final List<Shared> objects = new ArrayList<>();
    private final List<String> calls = new ArrayList<>();
    private final Set<String> failing = new HashSet<>();
    private final CountDownLatch unblocked = new CountDownLatch(1);
    private String blocking = "";
    private Optional<String> obstacle = Optional.empty();

    /** Makes calls of a name fail. */
    synchronized void failAt(String call) {
        failing.add(call);
    }

    /** Makes calls of a name block until {@link #unblock}. */
    synchronized void blockAt(String call) {
        blocking = call;
    }

    void unblock() {
        unblocked.countDown();
    }

    synchronized void refuse(String reason) {
        obstacle = Optional.of(reason);
    }

    /** The calls, in their order. */
    synchronized List<String> calls() {
        return List.copyOf(calls);
    }

    /** The views that are open. */
    synchronized int views() {
        return objects.stream().mapToInt(object -> object.views).sum();
    }

    private void called(String what) {
        boolean blocks;
        synchronized (this) {
            calls.add(what);
            if (failing.contains(what)) {
                throw new BackendException(what, 1, "REFUSED");
            }
            blocks = blocking.equals(what);
        }
        if (blocks) {
            try {
                unblocked.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** A device with this multicast; other methods than those that the provider calls are not allowed. */
    BackendDevice device() {
        return (BackendDevice) Proxy.newProxyInstance(
                FakeMulticast.class.getClassLoader(),
                new Class<?>[] {BackendDevice.class},
                (_, method, _) -> switch (method.getName()) {
                    case "multicast" -> {
                        called("multicast");
                        yield Optional.of(new OfDevice());
                    }
                    case "backend" -> "fake";
                    default -> throw new AssertionError(method + " is called");
                });
    }

    private final class OfDevice implements DeviceMulticast {
        @Override
        public Optional<String> obstacle() {
            called("obstacle");
            return obstacle;
        }

        @Override
        public long granularity() {
            called("granularity");
            return GRANULARITY;
        }

        @Override
        public long lead(DeviceBuffer buffer) {
            called("lead");
            return 0;
        }

        @Override
        public MulticastObject create(int members, long bytes) {
            called("create");
            synchronized (FakeMulticast.this) {
                objects.add(new Shared(members));
                return new View(objects.size() - 1);
            }
        }

        @Override
        public MulticastObject open(byte[] handle) {
            called("open");
            return new View(ByteBuffer.wrap(handle).getInt());
        }
    }

    private final class View implements MulticastObject {
        private final int number;
        private final Shared shared;
        private boolean closed;

        View(int number) {
            this.number = number;
            synchronized (FakeMulticast.this) {
                this.shared = objects.get(number);
                shared.views++;
            }
        }

        private void use(String call) {
            if (closed) {
                throw new AssertionError(call + " after close");
            }
            called(call);
        }

        @Override
        public byte[] handle() {
            use("handle");
            return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
        }

        @Override
        public void addDevice() {
            use("addDevice");
            synchronized (FakeMulticast.this) {
                shared.added++;
            }
        }

        @Override
        public void bind(DeviceBuffer buffer, long offset) {
            synchronized (FakeMulticast.this) {
                if (shared.added != shared.members) {
                    throw new AssertionError("bound before all devices have been added");
                }
            }
            use("bind " + offset);
        }

        @Override
        public void unbind() {
            use("unbind");
        }

        @Override
        public long map() {
            use("map");
            return BASE * (number + 1);
        }

        @Override
        public void close() {
            if (!closed) {
                use("close");
                closed = true;
                synchronized (FakeMulticast.this) {
                    shared.views--;
                }
            }
        }
    }
}
