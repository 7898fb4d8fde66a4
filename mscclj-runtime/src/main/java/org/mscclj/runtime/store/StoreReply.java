package org.mscclj.runtime.store;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.runtime.control.Wire;

/** A reply of the server of a store. */
sealed interface StoreReply {
    /** Bytes, or none. */
    record Value(Optional<byte[]> bytes) implements StoreReply {}

    /** A sum, or 1 for yes and 0 for no. */
    record WholeNumber(long number) implements StoreReply {}

    /** The reason why the request was not served. */
    record Failed(Failure failure, String message) implements StoreReply {
        static Failed of(RuntimeException e) {
            String message = Optional.ofNullable(e.getMessage()).orElse(e.toString());
            return new Failed(
                    switch (e) {
                        case OperationTimeoutException _ -> Failure.TIMED_OUT;
                        case InvalidArgumentException _ -> Failure.REFUSED;
                        default -> Failure.ENDED;
                    },
                    message);
        }

        MsccljException exception() {
            return switch (failure) {
                case TIMED_OUT -> new OperationTimeoutException(message, List.of());
                case REFUSED -> new InvalidArgumentException(message);
                case ENDED ->
                    new BackendException(
                            message + "; look whether its process has ended", new IOException("the server ends"));
            };
        }
    }

    /** Kinds of failures. */
    enum Failure {
        /** No process has set the key in time. */
        TIMED_OUT,
        /** A store serves no such request. */
        REFUSED,
        /** The server has been closed. */
        ENDED
    }

    static byte[] encode(StoreReply reply) {
        return Wire.encode(out -> {
            switch (reply) {
                case Value(Optional<byte[]> bytes) -> {
                    out.writeByte('V');
                    out.writeBoolean(bytes.isPresent());
                    if (bytes.isPresent()) {
                        Wire.writeBytes(out, bytes.get());
                    }
                }
                case WholeNumber(long number) -> {
                    out.writeByte('N');
                    out.writeLong(number);
                }
                case Failed(Failure failure, String message) -> {
                    out.writeByte('F');
                    out.writeUTF(failure.name());
                    Wire.writeText(out, message);
                }
            }
        });
    }

    static StoreReply decode(byte[] bytes) {
        return Wire.decode(bytes, in -> switch (in.readByte()) {
            case 'V' -> new Value(in.readBoolean() ? Optional.of(Wire.readBytes(in)) : Optional.empty());
            case 'N' -> new WholeNumber(in.readLong());
            case 'F' -> new Failed(Failure.valueOf(in.readUTF()), in.readUTF());
            default -> throw new IOException("a reply of unknown kind");
        });
    }
}
