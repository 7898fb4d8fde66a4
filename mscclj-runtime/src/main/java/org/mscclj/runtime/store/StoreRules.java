package org.mscclj.runtime.store;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.bootstrap.Store;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;

/** Limits and messages that all stores share. */
final class StoreRules {
    private StoreRules() {}

    static void requireKey(String key) {
        Objects.requireNonNull(key, "key");
        if (key.isEmpty() || key.length() > Store.MAX_KEY) {
            throw InvalidArgumentException.of(
                    "key", "a text of " + key.length() + " characters", "1 to " + Store.MAX_KEY + " characters");
        }
    }

    static void requireValue(String key, byte[] value) {
        Objects.requireNonNull(value, "value");
        if (value.length > Store.MAX_VALUE) {
            throw InvalidArgumentException.of(
                    "value of key " + key, value.length + " bytes", "0 to " + Store.MAX_VALUE + " bytes");
        }
    }

    /** Returns the value of a counter after an addition. */
    static long sum(String key, byte @Nullable [] value, long amount) {
        if (value == null) {
            return amount;
        }
        try {
            return Math.addExact(Long.parseLong(new String(value, StandardCharsets.US_ASCII)), amount);
        } catch (NumberFormatException e) {
            throw new InvalidArgumentException(
                    "key " + key + " has a value of " + value.length
                            + " bytes that is no whole number; add to another key",
                    e);
        } catch (ArithmeticException e) {
            throw new InvalidArgumentException("key " + key + ": the sum with " + amount + " does not fit 64 bits", e);
        }
    }

    static byte[] text(long number) {
        return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    }

    static OperationTimeoutException timedOut(Store store, String key, Duration timeout) {
        return new OperationTimeoutException(
                store + ": no process has set key " + key + " within " + DurationText.of(timeout)
                        + "; find out which process sets it, or wait longer",
                List.of());
    }

    static InvalidArgumentException closed(Store store) {
        return new InvalidArgumentException(store + " is closed; open another one");
    }
}
