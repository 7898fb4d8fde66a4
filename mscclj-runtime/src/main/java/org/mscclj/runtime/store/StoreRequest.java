package org.mscclj.runtime.store;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.mscclj.runtime.control.Wire;

/** A request of a client to the server of a store. */
sealed interface StoreRequest {
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Set(String key, byte[] value) implements StoreRequest {}

    record Get(String key, Duration timeout) implements StoreRequest {}

    record Find(String key) implements StoreRequest {}

    record Add(String key, long amount) implements StoreRequest {}

    record Await(List<String> keys, Duration timeout) implements StoreRequest {}

    record Delete(String key) implements StoreRequest {}

    static byte[] encode(StoreRequest request) {
        return Wire.encode(out -> {
            switch (request) {
                case Set(String key, byte[] value) -> {
                    out.writeByte('S');
                    out.writeUTF(key);
                    Wire.writeBytes(out, value);
                }
                case Get(String key, Duration timeout) -> {
                    out.writeByte('G');
                    out.writeUTF(key);
                    writeDuration(out, timeout);
                }
                case Find(String key) -> {
                    out.writeByte('F');
                    out.writeUTF(key);
                }
                case Add(String key, long amount) -> {
                    out.writeByte('A');
                    out.writeUTF(key);
                    out.writeLong(amount);
                }
                case Await(List<String> keys, Duration timeout) -> {
                    out.writeByte('W');
                    writeDuration(out, timeout);
                    out.writeInt(keys.size());
                    for (String key : keys) {
                        out.writeUTF(key);
                    }
                }
                case Delete(String key) -> {
                    out.writeByte('D');
                    out.writeUTF(key);
                }
            }
        });
    }

    static StoreRequest decode(byte[] bytes) {
        return Wire.decode(bytes, in -> switch (in.readByte()) {
            case 'S' -> new Set(in.readUTF(), Wire.readBytes(in));
            case 'G' -> new Get(in.readUTF(), readDuration(in));
            case 'F' -> new Find(in.readUTF());
            case 'A' -> new Add(in.readUTF(), in.readLong());
            case 'W' -> {
                Duration timeout = readDuration(in);
                List<String> keys = new ArrayList<>();
                for (int left = in.readInt(); left > 0; left--) {
                    keys.add(in.readUTF());
                }
                yield new Await(keys, timeout);
            }
            case 'D' -> new Delete(in.readUTF());
            default -> throw new IOException("a request of unknown kind");
        });
    }

    private static void writeDuration(DataOutputStream out, Duration duration) throws IOException {
        out.writeLong(duration.getSeconds());
        out.writeInt(duration.getNano());
    }

    private static Duration readDuration(DataInputStream in) throws IOException {
        return Duration.ofSeconds(in.readLong(), in.readInt());
    }
}
