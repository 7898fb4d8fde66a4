package org.mscclj.runtime.control;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.mscclj.spi.device.MemoryHandle;

/** Encodes the small messages that ranks exchange while they set something up. */
public final class Wire {
    /** Longest text, in characters; with 3 bytes for each it fits what {@link DataOutputStream#writeUTF} can write. */
    private static final int LONGEST_TEXT = 8192;

    private Wire() {}

    /** Writes into a stream that cannot fail. */
    @FunctionalInterface
    public interface Writing {
        /** Writes everything. */
        void to(DataOutputStream out) throws IOException;
    }

    /**
     * Reads what a peer of the same version wrote.
     *
     * @param <T> what the message says
     */
    @FunctionalInterface
    public interface Reading<T> {
        /** Reads everything. */
        T from(DataInputStream in) throws IOException;
    }

    /** The bytes of a message. */
    public static byte[] encode(Writing writing) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            writing.to(new DataOutputStream(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return bytes.toByteArray();
    }

    /** What a message says. */
    public static <T> T decode(byte[] message, Reading<T> reading) {
        try {
            return reading.from(new DataInputStream(new ByteArrayInputStream(message)));
        } catch (IOException e) {
            throw new UncheckedIOException("a set-up message of " + message.length + " bytes is malformed", e);
        }
    }

    /** Writes a memory handle. */
    public static void writeHandle(DataOutputStream out, MemoryHandle handle) throws IOException {
        out.writeUTF(handle.backend());
        writeBytes(out, handle.bytes());
    }

    /** Reads what {@link #writeHandle} wrote. */
    public static MemoryHandle readHandle(DataInputStream in) throws IOException {
        return new MemoryHandle(in.readUTF(), readBytes(in));
    }

    /** Writes a text for people, {@linkplain #shortened shortened}. */
    public static void writeText(DataOutputStream out, String text) throws IOException {
        out.writeUTF(shortened(text));
    }

    /**
     * A text as it arrives: what is too long is cut. What ranks compare, or tell messages apart by, is cut on all, also on the one that says it. To shorten again changes nothing.
     */
    public static String shortened(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "…";
    }

    /** Writes ranks and their number. */
    public static void writeRanks(DataOutputStream out, List<Integer> ranks) throws IOException {
        out.writeInt(ranks.size());
        for (int rank : ranks) {
            out.writeInt(rank);
        }
    }

    /** Reads what {@link #writeRanks} wrote. */
    public static List<Integer> readRanks(DataInputStream in) throws IOException {
        List<Integer> ranks = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            ranks.add(in.readInt());
        }
        return ranks;
    }

    /** Writes bytes and their number. */
    public static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /** Reads what {@link #writeBytes} wrote. */
    public static byte[] readBytes(DataInputStream in) throws IOException {
        return in.readNBytes(in.readInt());
    }
}
