package org.mscclj.api.bootstrap;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;

/**
 * A key-value store for small values, by which several processes find each other or agree on values. A communicator
 * whose options name a store ({@link org.mscclj.api.CommunicatorOptions#store}) needs no address.
 * {@link org.mscclj.api.Stores} opens them. Every method is atomic, and its effect is visible to every call, in any
 * process, that begins after it has returned. Safe for use by several threads.
 *
 * <p>If the medium of a store fails, because its server has ended or its folder cannot be read, methods throw
 * {@link org.mscclj.api.error.BackendException}; after {@link #close} they throw {@link InvalidArgumentException}. A
 * thread that is interrupted while it waits gets {@link org.mscclj.api.error.AbortedException} and stays interrupted,
 * for every implementation and every thread; the change that it was making may have taken effect.
 */
public interface Store extends AutoCloseable {
    /** Greatest length of a key, in characters. */
    int MAX_KEY = 512;

    /** Greatest size of a value, in bytes. */
    int MAX_VALUE = 16 << 20;

    /**
     * Stores a value, and replaces an earlier one.
     *
     * @param key 1 to {@value #MAX_KEY} characters
     * @param value up to {@value #MAX_VALUE} bytes, which are copied
     */
    void set(String key, byte[] value);

    /**
     * Returns the value of a key; waits until the key has one.
     *
     * @throws OperationTimeoutException if no value is stored in time
     */
    byte[] get(String key, Duration timeout);

    /** Returns the current value of a key, if there is one. */
    Optional<byte[]> find(String key);

    /**
     * Adds to a counter, which starts at 0. Its value is the number as decimal text.
     *
     * @return the sum
     * @throws InvalidArgumentException if the value of the key is not a whole number, or if the sum does not fit 64
     *     bits; the value does not change then
     */
    long add(String key, long amount);

    /**
     * Waits until all of the keys have values.
     *
     * @throws OperationTimeoutException if they do not have values in time; the message names a key without a value
     */
    void await(List<String> keys, Duration timeout);

    /**
     * Removes a value.
     *
     * @return whether there was one
     */
    boolean delete(String key);

    /** Closes the store in this process. Threads that wait in it receive an exception. Idempotent. */
    @Override
    void close();
}
