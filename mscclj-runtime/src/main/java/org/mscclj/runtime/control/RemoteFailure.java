package org.mscclj.runtime.control;

import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Optional;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.api.error.UnsupportedException;

/**
 * A failure of one rank, in the form in which the other ranks receive it. They throw an exception of that kind, because
 * programs handle kinds differently. A failure outside the exceptions of mscclj, for example an error of the VM,
 * becomes a failure of the backend there: it may pass, and does not indicate what to do.
 */
final class RemoteFailure {
    private RemoteFailure() {}

    /** Encodes a failure. */
    static byte[] encode(Throwable failure) {
        return Wire.encode(out -> {
            switch (failure) {
                case InvalidArgumentException e -> write(out, 'I', text(e));
                case UnsupportedException e -> write(out, 'U', text(e));
                case AbortedException e -> write(out, 'A', text(e));
                case RankLostException e -> {
                    write(out, 'L', text(e));
                    out.writeInt(e.rank());
                }
                case OperationTimeoutException e -> {
                    write(out, 'T', text(e));
                    Wire.writeRanks(out, e.missingRanks());
                }
                case BackendException e
                when !e.symbol().isEmpty() -> {
                    write(out, 'N', withoutCode(e));
                    out.writeLong(e.code());
                    out.writeUTF(e.symbol());
                }
                case BackendException e -> write(out, 'B', text(e));
                default -> write(out, 'B', failure.toString());
            }
        });
    }

    /**
     * Returns the exception that another rank throws.
     *
     * @param rank the rank that has failed
     * @param ownRank the rank that receives the failure
     */
    static MsccljException decode(byte[] failure, int rank, int ownRank) {
        return Wire.decode(failure, in -> {
            char kind = in.readChar();
            String what = in.readUTF();
            String text = (kind == 'I' ? "rank " + rank + " refused: " : "rank " + rank + " failed: ") + what;
            return switch (kind) {
                case 'I' -> new InvalidArgumentException(text);
                case 'U' -> new UnsupportedException(text);
                case 'A' -> new AbortedException(text);
                case 'L' -> {
                    int lost = in.readInt();
                    // a rank that has lost this rank is the one that this rank cannot reach
                    yield new RankLostException(lost == ownRank ? rank : lost, text);
                }
                case 'T' -> new OperationTimeoutException(text, Wire.readRanks(in));
                case 'N' -> new BackendException(text, in.readLong(), in.readUTF());
                case 'B' -> new BackendException(text, new IllegalStateException("on rank " + rank + ": " + what));
                default -> throw new IOException("a failure of unknown kind");
            };
        });
    }

    private static void write(DataOutputStream out, char kind, String text) throws IOException {
        out.writeChar(kind);
        Wire.writeText(out, text);
    }

    private static String text(Throwable e) {
        return Optional.ofNullable(e.getMessage()).orElse(e.toString());
    }

    /** Returns the message without the code, which the exception made from it appends again. */
    private static String withoutCode(BackendException e) {
        String text = text(e);
        int code = text.lastIndexOf(" (" + e.symbol() + ", code " + e.code() + ")");
        return code < 0 ? text : text.substring(0, code);
    }
}
