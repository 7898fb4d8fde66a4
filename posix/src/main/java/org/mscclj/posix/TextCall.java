package org.mscclj.posix;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * A C function that returns a constant text for a number, such as the name of an error.
 *
 * @param handle the function, with one {@code int}
 */
public record TextCall(MethodHandle handle) {
    private static final long MAX_BYTES = 1024;

    /** Calls the function, and returns a copy of the text; empty if it returns no text. */
    public String call(int number) {
        try {
            return at((MemorySegment) handle.invokeExact(number));
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** A copy of the constant text, of fewer than 1024 bytes, that a function has returned; empty for no text. */
    @SuppressWarnings("restricted") // a pointer to a constant
    public static String at(MemorySegment text) {
        return text.equals(MemorySegment.NULL)
                ? ""
                : text.reinterpret(MAX_BYTES).getString(0);
    }
}
