package org.mscclj.runtime.control;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.api.error.UnsupportedException;

/**
 * Gathers what every rank contributes, or fails on every rank if one cannot contribute: so that no rank waits for another that has
 * given up.
 */
public final class Exchange {
    private static final byte CONTRIBUTED = 0;
    private static final byte INVALID = 1;
    private static final byte FAILED = 2;

    private Exchange() {}

    /**
     * Gathers. Collective.
     *
     * @param what what is being done, in words; equal on all ranks
     * @param own makes this rank's contribution; may throw
     * @return the contributions, by rank
     * @throws RuntimeException on the rank whose contribution failed: what it threw; on every other rank, an {@link MsccljException}: which rank
     *     failed, and why
     */
    public static byte[][] gather(ControlPlane control, String what, Supplier<byte[]> own) {
        Throwable failure = null;
        byte[] message;
        try {
            message = tagged(CONTRIBUTED, own.get());
        } catch (RuntimeException | Error e) { // whatever it is: the others must not wait in vain
            failure = e;
            message = tagged(
                    e instanceof InvalidArgumentException ? INVALID : FAILED, text(e).getBytes(StandardCharsets.UTF_8));
        }
        byte[][] all = tell(control, what, message, failure);
        throwFailure(failure, all);
        byte[][] contributions = new byte[all.length][];
        for (int rank = 0; rank < all.length; rank++) {
            contributions[rank] = Arrays.copyOfRange(all[rank], 1, all[rank].length);
        }
        return contributions;
    }

    /** Gathers; if the others do not come, what this rank has to say is not lost. */
    private static byte[][] tell(ControlPlane control, String what, byte[] message, @Nullable Throwable failure) {
        try {
            return control.allGather(what, message);
        } catch (RuntimeException e) {
            if (failure != null && !(e instanceof RankLostException)) { // what is lost explains the failure
                e.addSuppressed(failure);
            }
            throw e;
        }
    }

    private static void throwFailure(@Nullable Throwable own, byte[][] all) {
        switch (own) {
            case null -> {}
            case Error error -> throw error;
            case RuntimeException unchecked -> throw unchecked;
            default -> throw new IllegalStateException("suppliers throw nothing checked", own);
        }
        for (int rank = 0; rank < all.length; rank++) {
            if (all[rank][0] != CONTRIBUTED) {
                String reason = new String(all[rank], 1, all[rank].length - 1, StandardCharsets.UTF_8);
                throw all[rank][0] == INVALID
                        ? new InvalidArgumentException("rank " + rank + " refused: " + reason)
                        : new UnsupportedException("rank " + rank + " failed: " + reason);
            }
        }
    }

    private static String text(Throwable e) {
        return e instanceof MsccljException
                ? Optional.ofNullable(e.getMessage()).orElse(e.toString())
                : e.toString();
    }

    private static byte[] tagged(byte tag, byte[] message) {
        byte[] tagged = new byte[message.length + 1];
        tagged[0] = tag;
        System.arraycopy(message, 0, tagged, 1, message.length);
        return tagged;
    }
}
