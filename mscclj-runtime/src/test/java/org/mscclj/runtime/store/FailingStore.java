package org.mscclj.runtime.store;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.mscclj.api.bootstrap.Store;
import org.mscclj.api.error.BackendException;

/**
 * A store that fails to change or to find some keys, as one does whose server has just ended.
 *
 * @param inner that works
 * @param fails which of "set", "delete" and "find", with the key behind a space, fail
 */
public record FailingStore(Store inner, Predicate<String> fails) implements Store {
    private void require(String what, String key) {
        if (fails.test(what + " " + key)) {
            throw new BackendException("the store does not " + what + " " + key, 111, "ECONNREFUSED");
        }
    }

    @Override
    public void set(String key, byte[] value) {
        require("set", key);
        inner.set(key, value);
    }

    @Override
    public byte[] get(String key, Duration timeout) {
        return inner.get(key, timeout);
    }

    @Override
    public Optional<byte[]> find(String key) {
        require("find", key);
        return inner.find(key);
    }

    @Override
    public long add(String key, long amount) {
        return inner.add(key, amount);
    }

    @Override
    public void await(List<String> keys, Duration timeout) {
        inner.await(keys, timeout);
    }

    @Override
    public boolean delete(String key) {
        require("delete", key);
        return inner.delete(key);
    }

    @Override
    public void close() {
        inner.close();
    }
}
