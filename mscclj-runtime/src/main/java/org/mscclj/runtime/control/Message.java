package org.mscclj.runtime.control;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that a rank sends to all ranks, with what was decoded from them. The ranks of one process share the object, so
 * that each message is decoded once for all of them: with n ranks, that is n decodings in place of n². Safe for use by
 * several threads.
 */
public final class Message {
    private final byte[] bytes;

    /** Immutable; several threads may decode the same bytes at first, with equal results. */
    private volatile @Nullable Object decoded;

    /** Creates a message. No code changes the array any more. */
    public Message(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Returns the bytes, which the caller must not change. */
    public byte[] bytes() {
        return bytes;
    }

    /**
     * Returns the content.
     *
     * @param type the type of the content, which must be immutable
     * @param decoding decodes the bytes; must give equal results on all ranks
     */
    public <T> T content(Class<T> type, Function<byte[], T> decoding) {
        Object known = decoded;
        if (type.isInstance(known)) {
            return type.cast(known);
        }
        return keep(type, decoding.apply(bytes));
    }

    /**
     * Of threads that decode at the same time, all get what the first one has kept: its own messages are shared too.
     */
    private synchronized <T> T keep(Class<T> type, T content) {
        Object known = decoded;
        if (type.isInstance(known)) {
            return type.cast(known);
        }
        decoded = content;
        return content;
    }

    /** Returns the bytes of some messages, which the caller must not change. */
    public static byte[][] bytes(List<Message> messages) {
        return messages.stream().map(Message::bytes).toArray(byte[][]::new);
    }
}
