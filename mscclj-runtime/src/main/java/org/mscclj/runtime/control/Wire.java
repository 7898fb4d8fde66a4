package org.mscclj.runtime.control;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.mscclj.api.error.BackendException;
import org.mscclj.spi.device.MemoryHandle;

/** Encodes the small messages that ranks exchange during set-up. */
public final class Wire {
    /**
     * The longest text, in characters. With 3 bytes for each it fits what {@link DataOutputStream#writeUTF} can write.
     */
    private static final int MAX_TEXT = 8192;

    private Wire() {}

    /** Writes into a stream that cannot fail. */
    @FunctionalInterface
    public interface Writing {
        /** Writes the whole message. */
        void to(DataOutputStream out) throws IOException;
    }

    /**
     * Reads what a peer of the same version wrote.
     *
     * @param <T> the content of the message
     */
    @FunctionalInterface
    public interface Reading<T> {
        /** Reads the whole message. */
        T from(DataInputStream in) throws IOException;
    }

    /** Encodes a message. */
    public static byte[] encode(Writing writing) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            writing.to(new DataOutputStream(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return bytes.toByteArray();
    }

    /**
     * Decodes a message.
     *
     * @throws BackendException if a rank of this version sends no such message; names the position where it is
     *     malformed
     */
    public static <T> T decode(byte[] message, Reading<T> reading) {
        ByteArrayInputStream bytes = new ByteArrayInputStream(message);
        try {
            T read = reading.from(new DataInputStream(bytes));
            if (bytes.available() > 0) {
                throw new IOException(bytes.available() + " bytes too many");
            }
            return read;
        } catch (IOException
                | IllegalArgumentException
                | ArithmeticException
                | DateTimeException
                | IndexOutOfBoundsException e) {
            throw new BackendException(
                    "a message of " + message.length + " bytes is malformed at byte "
                            + (message.length - bytes.available()) + ": "
                            + Optional.ofNullable(e.getMessage()).orElse("it ends there")
                            + "; look whether all ranks run the same version of mscclj",
                    e);
        }
    }

    /**
     * Decodes the message of a rank.
     *
     * @param rank the sender, which the exception names if the message is malformed
     * @throws BackendException like {@link #decode(byte[], Reading)}
     */
    public static <T> T decodeFrom(int rank, byte[] message, Function<byte[], T> decoding) {
        try {
            return decoding.apply(message);
        } catch (BackendException e) {
            throw new BackendException("of rank " + rank + ": " + e.getMessage(), e);
        }
    }

    /**
     * Decodes the messages of all ranks, by rank. Ranks of one process share the contents.
     *
     * @param type the type of a content, which must be immutable
     */
    public static <T> List<T> decodeAll(List<Message> messages, Class<T> type, Function<byte[], T> decoding) {
        List<T> contents = new ArrayList<>(messages.size());
        for (int rank = 0; rank < messages.size(); rank++) {
            Message message = messages.get(rank);
            contents.add(decodeFrom(rank, message.bytes(), _ -> message.content(type, decoding)));
        }
        return contents;
    }

    /** Reads bytes that {@link #writeBytes} wrote, as a message inside of a message. */
    public static Message readMessage(DataInputStream in) throws IOException {
        return new Message(readBytes(in));
    }

    /** Writes a memory handle. */
    public static void writeHandle(DataOutputStream out, MemoryHandle handle) throws IOException {
        out.writeUTF(handle.backend());
        writeBytes(out, handle.bytes());
    }

    /** Reads a handle that {@link #writeHandle} wrote. */
    public static MemoryHandle readHandle(DataInputStream in) throws IOException {
        return new MemoryHandle(in.readUTF(), readBytes(in));
    }

    /** Writes a text for people, {@linkplain #shortened shortened}. */
    public static void writeText(DataOutputStream out, String text) throws IOException {
        out.writeUTF(shortened(text));
    }

    /**
     * Returns a text as it arrives: a text that is too long is cut. A text that ranks compare, or by which they
     * identify messages, is cut on all ranks, also on the sender. Shortening a text again does not change it.
     */
    public static String shortened(String text) {
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "…";
    }

    /** Writes ranks, preceded by their number. */
    public static void writeRanks(DataOutputStream out, List<Integer> ranks) throws IOException {
        out.writeInt(ranks.size());
        for (int rank : ranks) {
            out.writeInt(rank);
        }
    }

    /** Reads ranks that {@link #writeRanks} wrote. */
    public static List<Integer> readRanks(DataInputStream in) throws IOException {
        int count = in.readInt();
        requireRoom(count, Integer.BYTES, in);
        List<Integer> ranks = new ArrayList<>(count);
        for (int left = count; left > 0; left--) {
            ranks.add(in.readInt());
        }
        return ranks;
    }

    /** Writes numbers, preceded by their count. */
    public static void writeNumbers(DataOutputStream out, List<Long> numbers) throws IOException {
        out.writeInt(numbers.size());
        for (long number : numbers) {
            out.writeLong(number);
        }
    }

    /** Reads numbers that {@link #writeNumbers} wrote. */
    public static List<Long> readNumbers(DataInputStream in) throws IOException {
        int count = in.readInt();
        requireRoom(count, Long.BYTES, in);
        List<Long> numbers = new ArrayList<>(count);
        for (int left = count; left > 0; left--) {
            numbers.add(in.readLong());
        }
        return numbers;
    }

    /** Writes bytes, preceded by their number. */
    public static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /** Reads bytes that {@link #writeBytes} wrote. */
    public static byte[] readBytes(DataInputStream in) throws IOException {
        int length = in.readInt();
        requireRoom(length, 1, in);
        return in.readNBytes(length);
    }

    /** Checks the length that a message announces before anything is allocated. */
    private static void requireRoom(int count, int bytesOfEach, DataInputStream in) throws IOException {
        if (count < 0 || (long) count * bytesOfEach > in.available()) {
            throw new IOException(count + " parts of " + bytesOfEach + " bytes are announced, where " + in.available()
                    + " bytes are left");
        }
    }
}
