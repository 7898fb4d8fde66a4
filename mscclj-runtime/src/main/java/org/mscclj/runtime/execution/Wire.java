package org.mscclj.runtime.execution;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.mscclj.spi.device.MemoryHandle;

/** Encodes the small messages that ranks exchange while they set something up. */
final class Wire {
    private Wire() {}

    /** Writes into a stream that cannot fail. */
    @FunctionalInterface
    interface Writing {
        void to(DataOutputStream out) throws IOException;
    }

    /** Reads what a peer of the same version wrote. */
    @FunctionalInterface
    interface Reading<T> {
        T from(DataInputStream in) throws IOException;
    }

    static byte[] encode(Writing writing) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            writing.to(new DataOutputStream(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return bytes.toByteArray();
    }

    static <T> T decode(byte[] message, Reading<T> reading) {
        try {
            return reading.from(new DataInputStream(new ByteArrayInputStream(message)));
        } catch (IOException e) {
            throw new UncheckedIOException("a set-up message of " + message.length + " bytes is malformed", e);
        }
    }

    static void writeHandle(DataOutputStream out, MemoryHandle handle) throws IOException {
        out.writeUTF(handle.backend());
        writeBytes(out, handle.bytes());
    }

    static MemoryHandle readHandle(DataInputStream in) throws IOException {
        return new MemoryHandle(in.readUTF(), readBytes(in));
    }

    static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    static byte[] readBytes(DataInputStream in) throws IOException {
        return in.readNBytes(in.readInt());
    }
}
