package org.mscclj.api.check;

import java.util.List;
import java.util.Objects;

/** Copies lists that callers pass. */
public final class GivenList {
    private GivenList() {}

    /**
     * Returns an unmodifiable copy.
     *
     * @param name for messages
     * @throws NullPointerException if the list, or one of its elements, is null; the message names it, as {@code ranks}
     *     or {@code ranks[2]}
     */
    public static <T> List<T> copy(List<T> given, String name) {
        Objects.requireNonNull(given, name);
        int index = 0;
        for (T element : given) {
            Objects.requireNonNull(element, name + "[" + index + "]");
            index++;
        }
        return List.copyOf(given);
    }
}
