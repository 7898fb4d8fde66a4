package org.mscclj.api.bootstrap;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;

/**
 * Small values by key that several processes share, to find each other or to agree on something. A communicator whose
 * options name a store ({@link org.mscclj.api.CommunicatorOptions#store}) needs no address.
 * {@link org.mscclj.api.Stores} opens them. Every method is atomic, and what one has done is seen by all that are
 * called after it has returned, in any process. Safe for use by several threads.
 *
 * <p>Where a store's medium fails, because its server has ended or its folder cannot be read, methods throw
 * {@link org.mscclj.api.error.BackendException}; after {@link #close} they throw {@link InvalidArgumentException}. A
 * thread that is interrupted while it waits gets {@link org.mscclj.api.error.AbortedException} and stays interrupted,
 * whichever store and thread it is; what it wanted to change may have been changed.
 */
public interface Store extends AutoCloseable {
    /** Greatest length of a key, in characters. */
    int LONGEST_KEY = 512;

    /** Greatest size of a value, in bytes. */
    int LONGEST_VALUE = 16 << 20;

    /**
     * Stores a value, in place of one that is there.
     *
     * @param key 1 to {@value #LONGEST_KEY} characters
     * @param value up to {@value #LONGEST_VALUE} bytes, which are copied
     */
    void set(String key, byte[] value);

    /**
     * The value of a key; waits until there is one.
     *
     * @throws OperationTimeoutException if nobody stores one in time
     */
    byte[] get(String key, Duration timeout);

    /** The value of a key, if there is one now. */
    Optional<byte[]> find(String key);

    /**
     * Adds to a counter, which is 0 before anybody has. Its value is the number as decimal text.
     *
     * @return the sum
     * @throws InvalidArgumentException if the key has a value that is no whole number, or if the sum does not fit 64
     *     bits; nothing has changed then
     */
    long add(String key, long amount);

    /**
     * Waits until all of the keys have values.
     *
     * @throws OperationTimeoutException if they do not in time; names one that has none
     */
    void await(List<String> keys, Duration timeout);

    /**
     * Removes a value.
     *
     * @return whether there was one
     */
    boolean delete(String key);

    /** Ends this process's part. Whoever waits in it gets an exception. Idempotent. */
    @Override
    void close();
}
