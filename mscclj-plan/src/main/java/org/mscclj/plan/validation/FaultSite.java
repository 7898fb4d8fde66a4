package org.mscclj.plan.validation;

import java.util.function.Supplier;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.PlainText;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Operation;

/**
 * The position in a plan under validation, with which a message begins. The text is made only for a message: a plan has
 * many positions, and few faults.
 */
record FaultSite(Supplier<String> words) {
    static FaultSite of(String origin) {
        return new FaultSite(() -> origin);
    }

    FaultSite rank(int rank) {
        return new FaultSite(() -> place() + ": rank " + rank);
    }

    FaultSite block(int block) {
        return new FaultSite(() -> place() + ", block " + block);
    }

    FaultSite operation(int position, Operation operation) {
        return new FaultSite(() -> place() + ", op " + position + " (" + operation.label() + ")");
    }

    FaultSite inner(int position, Operation operation) {
        return new FaultSite(() -> place() + ", inner op " + position + " (" + operation.label() + ")");
    }

    String place() {
        return words.get();
    }

    /** "{@code key} is {@code given}; allowed: {@code allowed}". */
    InvalidArgumentException fault(Object key, Object given, String allowed) {
        return new InvalidArgumentException(
                place() + ": " + key + " is " + PlainText.brief(String.valueOf(given)) + "; allowed: " + allowed);
    }

    /** A fault with any text. */
    InvalidArgumentException fault(String text) {
        return new InvalidArgumentException(place() + ": " + text);
    }

    /** Requires {@code 0 <= id < count}. The message names the type before {@code what}. */
    void requireIndex(Object key, int id, int count, ChannelType type, String what) {
        if (id < 0 || id >= count) {
            requireIndex(key, id, count, type.label() + " " + what);
        }
    }

    /** Requires {@code 0 <= id < count}. */
    void requireIndex(Object key, int id, int count, String what) {
        if (id < 0 || id >= count) {
            throw fault(
                    key,
                    id,
                    count == 0 ? "none, since there are no " + what : "0 to " + (count - 1) + " (" + what + ")");
        }
    }
}
