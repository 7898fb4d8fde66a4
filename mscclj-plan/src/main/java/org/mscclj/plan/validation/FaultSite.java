package org.mscclj.plan.validation;

import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.PlainText;
import org.mscclj.plan.Operation;

/** The position in a plan under validation, with which a message begins. */
record FaultSite(String place) {
    FaultSite rank(int rank) {
        return new FaultSite(place + ": rank " + rank);
    }

    FaultSite block(int block) {
        return new FaultSite(place + ", block " + block);
    }

    FaultSite operation(int position, Operation operation) {
        return new FaultSite(place + ", op " + position + " (" + operation.label() + ")");
    }

    FaultSite inner(int position, Operation operation) {
        return new FaultSite(place + ", inner op " + position + " (" + operation.label() + ")");
    }

    /** "{@code key} is {@code given}; allowed: {@code allowed}". */
    InvalidArgumentException fault(String key, Object given, String allowed) {
        return new InvalidArgumentException(
                place + ": " + key + " is " + PlainText.brief(String.valueOf(given)) + "; allowed: " + allowed);
    }

    /** A fault with any text. */
    InvalidArgumentException fault(String words) {
        return new InvalidArgumentException(place + ": " + words);
    }

    /** Requires {@code 0 <= id < count}. */
    void requireIndex(String key, int id, int count, String what) {
        if (id < 0 || id >= count) {
            throw fault(
                    key,
                    id,
                    count == 0 ? "none, since there are no " + what : "0 to " + (count - 1) + " (" + what + ")");
        }
    }
}
