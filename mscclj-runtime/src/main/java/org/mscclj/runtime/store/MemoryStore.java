package org.mscclj.runtime.store;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.mscclj.api.bootstrap.Store;
import org.mscclj.api.error.AbortedException;
import org.mscclj.runtime.time.Deadline;

/** A store for the threads of this process. */
public final class MemoryStore implements Store {
    private final Map<String, byte[]> values = new HashMap<>();
    private boolean closed;

    /** Creates an empty store. */
    public MemoryStore() {}

    @Override
    public synchronized void set(String key, byte[] value) {
        require(key);
        StoreRules.requireValue(key, value);
        values.put(key, value.clone());
        notifyAll();
    }

    @Override
    public synchronized byte[] get(String key, Duration timeout) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(timeout, "timeout");
        return get(key, Deadline.after(timeout), timeout);
    }

    /** Waits until a deadline. The message of the exception names {@code timeout}. */
    synchronized byte[] get(String key, Deadline deadline, Duration timeout) {
        return await(key, deadline, timeout);
    }

    @Override
    public synchronized Optional<byte[]> find(String key) {
        require(key);
        return Optional.ofNullable(values.get(key)).map(byte[]::clone);
    }

    @Override
    public synchronized long add(String key, long amount) {
        require(key);
        long sum = StoreRules.sum(key, values.get(key), amount);
        values.put(key, StoreRules.text(sum));
        notifyAll();
        return sum;
    }

    @Override
    public synchronized void await(List<String> keys, Duration timeout) {
        Objects.requireNonNull(keys, "keys");
        Objects.requireNonNull(timeout, "timeout");
        await(keys, Deadline.after(timeout), timeout);
    }

    /** Waits until a deadline. The message of the exception names {@code timeout}. */
    synchronized void await(List<String> keys, Deadline deadline, Duration timeout) {
        while (true) { // all at once: a key may be deleted during the wait for another
            Optional<String> missing = missing(keys);
            if (missing.isEmpty()) {
                return;
            }
            byte[] _ = await(missing.get(), deadline, timeout);
        }
    }

    private Optional<String> missing(List<String> keys) {
        keys.forEach(this::require);
        return keys.stream().filter(key -> !values.containsKey(key)).findFirst();
    }

    private byte[] await(String key, Deadline deadline, Duration timeout) {
        try {
            while (true) {
                require(key);
                byte[] value = values.get(key);
                if (value != null) {
                    return value.clone();
                }
                long left = deadline.left();
                if (left == 0) {
                    throw StoreRules.timedOut(this, key, timeout);
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AbortedException("interrupted while waiting for key " + key, e);
        }
    }

    @Override
    public synchronized boolean delete(String key) {
        require(key);
        return values.remove(key) != null;
    }

    private void require(String key) {
        if (closed) {
            throw StoreRules.closed(this);
        }
        StoreRules.requireKey(key);
    }

    @Override
    public synchronized void close() {
        closed = true;
        notifyAll();
    }

    @Override
    public String toString() {
        return "the store in this process";
    }
}
