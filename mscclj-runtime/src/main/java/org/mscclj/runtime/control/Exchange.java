package org.mscclj.runtime.control;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;

/**
 * Gathers what every rank contributes, or fails on every rank if one cannot contribute: so that no rank waits for
 * another that has given up.
 */
public final class Exchange {
    private static final byte CONTRIBUTED = 0;
    private static final byte FAILED = 1;

    /** How long word of a rank's end may take, when the failure that it causes is seen first. */
    private static final Duration NOTICE = Duration.ofSeconds(1);

    private Exchange() {}

    /**
     * Gathers. Collective.
     *
     * @param topic what it is about; equal on all ranks
     * @param own makes this rank's contribution; may throw
     * @return the contributions, by rank
     * @throws RankLostException on every rank, if a contribution failed and the rank that made it found another rank
     *     lost
     * @throws RuntimeException on the rank whose contribution failed: what it threw; on every other rank, an
     *     {@link MsccljException} of the same kind: which rank failed, and why
     */
    public static byte[][] gather(ControlPlane control, Topic topic, Supplier<byte[]> own) {
        Throwable failure = null;
        byte[] message;
        try {
            message = tagged(CONTRIBUTED, own.get());
        } catch (RuntimeException | Error e) { // whatever it is: the others must not wait in vain
            failure = cause(e, control, topic);
            message = tagged(FAILED, RemoteFailure.encode(failure));
        }
        byte[][] all = tell(control, topic, message, failure);
        throwFailure(control.rank(), failure, all);
        byte[][] contributions = new byte[all.length][];
        for (int rank = 0; rank < all.length; rank++) {
            contributions[rank] = Arrays.copyOfRange(all[rank], 1, all[rank].length);
        }
        return contributions;
    }

    /**
     * Compares bytes of all ranks. Collective.
     *
     * @param own gives those of this rank; may throw, as in {@link #gather}
     * @param describer renders the bytes of a rank; asked only if ranks differ
     * @param refusal makes what every rank throws of the differences, in words
     */
    public static void requireEqual(
            ControlPlane control,
            Topic topic,
            Supplier<byte[]> own,
            Function<byte[], String> describer,
            Function<String, InvalidArgumentException> refusal) {
        Differences.among(gather(control, topic, own), describer).ifPresent(differences -> {
            throw refusal.apply(differences);
        });
    }

    /** Gathers; if the others do not come, what this rank has to say is not lost. */
    private static byte[][] tell(ControlPlane control, Topic topic, byte[] message, @Nullable Throwable failure) {
        try {
            return control.allGather(topic, message);
        } catch (RuntimeException e) {
            if (failure instanceof OperationTimeoutException own && e instanceof OperationTimeoutException late) {
                throw both(own, late);
            }
            if (failure != null && !(e instanceof RankLostException)) { // what is lost explains the failure
                e.addSuppressed(failure);
            }
            throw e;
        }
    }

    /** The time of this rank's own wait was over, and so no other rank could come. */
    private static OperationTimeoutException both(OperationTimeoutException own, OperationTimeoutException late) {
        Set<Integer> missing = new TreeSet<>(own.missingRanks());
        missing.addAll(late.missingRanks());
        return new OperationTimeoutException(
                late.getMessage() + "; before that, " + own.getMessage(), List.copyOf(missing));
    }

    /**
     * A rank that ends takes its memory along: whoever maps it at that moment fails before it hears of the loss, which
     * is what explains it.
     */
    private static Throwable cause(Throwable failure, ControlPlane control, Topic topic) {
        return failure instanceof InvalidArgumentException // a refusal, whatever the others do
                ? failure
                : control.ended(topic.toString(), NOTICE)
                        .map(Throwable.class::cast)
                        .orElse(failure);
    }

    private static void throwFailure(int ownRank, @Nullable Throwable own, byte[][] all) {
        switch (own) {
            case null -> {}
            case Error error -> throw error;
            case RuntimeException unchecked -> throw unchecked;
            default -> throw new IllegalStateException("suppliers throw nothing checked", own);
        }
        for (int rank = 0; rank < all.length; rank++) {
            byte[] message = all[rank];
            if (message.length == 0 || (message[0] != CONTRIBUTED && message[0] != FAILED)) {
                throw new BackendException(
                        "rank " + rank + " sent a contribution of " + message.length
                                + " bytes that is malformed at byte 0; look whether all ranks run the same"
                                + " version of mscclj",
                        new IOException("a contribution of unknown kind"));
            }
            if (message[0] == FAILED) {
                throw RemoteFailure.decode(Arrays.copyOfRange(message, 1, message.length), rank, ownRank);
            }
        }
    }

    private static byte[] tagged(byte tag, byte[] message) {
        byte[] tagged = new byte[message.length + 1];
        tagged[0] = tag;
        System.arraycopy(message, 0, tagged, 1, message.length);
        return tagged;
    }
}
