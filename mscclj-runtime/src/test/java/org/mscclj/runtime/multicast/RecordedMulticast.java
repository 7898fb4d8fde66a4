package org.mscclj.runtime.multicast;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.mscclj.api.error.BackendException;
import org.mscclj.spi.Availability;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.MemoryNeeds;
import org.mscclj.spi.multicast.MulticastGroup;
import org.mscclj.spi.multicast.MulticastProvider;

/**
 * A provider for the ranks of one test, which records calls and checks their order as hardware demands it: a member
 * that binds before all have joined would block. Each call can be made to fail; calls are numbered by their name.
 */
public final class RecordedMulticast implements MulticastProvider {
    private static final long BASE = 0x7000_0000L;

    private final String name;
    private final MemoryNeeds needs;
    private final List<String> calls = new ArrayList<>();
    private final Map<String, Integer> counts = new HashMap<>();
    private final Set<String> failing = new HashSet<>();
    private final List<Integer> missing = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger open = new AtomicInteger();

    public RecordedMulticast() {
        this("recorded", new MemoryNeeds(4096, "descriptor"));
    }

    public RecordedMulticast(String name, MemoryNeeds needs) {
        this.name = name;
        this.needs = needs;
    }

    /** Makes a call fail, for example {@code "join 1"}, the second one. */
    public void failAt(String call) {
        failing.add(call);
    }

    /** The number of groups that are open. */
    public int open() {
        return open.get();
    }

    /** The calls, in their order. */
    public synchronized List<String> calls() {
        return List.copyOf(calls);
    }

    private synchronized void called(String what, String details) {
        calls.add(what + details);
        int number = counts.merge(what, 1, Integer::sum) - 1;
        if (failing.contains(what + " " + number)) {
            throw new BackendException(what, 1, "REFUSED");
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int priority() {
        return 0;
    }

    @Override
    public String description() {
        return name;
    }

    @Override
    public Availability probe() {
        return Availability.available();
    }

    @Override
    public synchronized Optional<String> obstacle(BackendDevice device) {
        int number = counts.merge("obstacle", 1, Integer::sum) - 1;
        return failing.contains("obstacle " + number) ? Optional.of("this device has no multicast") : Optional.empty();
    }

    @Override
    public MemoryNeeds memoryNeeds(BackendDevice device) {
        return needs;
    }

    @Override
    public MulticastGroup create(BackendDevice device, int members, long bytes, Duration limit) {
        called("create", " for " + members + " of " + bytes);
        missing.add(members);
        return new Group(missing.size() - 1);
    }

    @Override
    public MulticastGroup open(BackendDevice device, byte[] descriptor, Duration limit) {
        called("open", " " + descriptor[0]);
        return new Group(descriptor[0]);
    }

    private final class Group implements MulticastGroup {
        private final int number;
        private boolean closed;

        Group(int number) {
            this.number = number;
            open.incrementAndGet();
        }

        @Override
        public byte[] descriptor() {
            return new byte[] {(byte) number};
        }

        @Override
        public void join() {
            called("join", " " + number);
            synchronized (missing) {
                missing.set(number, missing.get(number) - 1);
            }
        }

        @Override
        public long bind(List<Binding> bindings) {
            called("bind", " " + bindings.stream().map(Binding::offset).toList() + " to " + number);
            if (missing.get(number) != 0) {
                throw new AssertionError(missing.get(number) + " members have not joined");
            }
            return BASE * (number + 1);
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                open.decrementAndGet();
                called("close", " " + number);
            }
        }
    }

    /** The address of a position of a group. */
    static long address(int group, long offset) {
        return BASE * (group + 1) + offset;
    }
}
