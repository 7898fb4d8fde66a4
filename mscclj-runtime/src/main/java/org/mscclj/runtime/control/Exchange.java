package org.mscclj.runtime.control;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
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
 * Gathers the contributions of all ranks, or fails on every rank if one cannot contribute. No rank therefore waits for
 * another that has given up.
 */
public final class Exchange {
    private static final byte CONTRIBUTED = 0;
    private static final byte FAILED = 1;

    /** How long the notice of a rank's end may take if the failure that the end causes is seen first. */
    private static final Duration NOTICE = Duration.ofSeconds(1);

    private Exchange() {}

    /**
     * Gathers the contributions of all ranks. Collective.
     *
     * @param topic the topic of the call; equal on all ranks
     * @param own makes this rank's contribution; may throw
     * @return the contributions, by rank
     * @throws RankLostException on every rank, if a contribution failed and the rank that made it found another rank
     *     lost
     * @throws RuntimeException on the rank whose contribution failed, the exception of {@code own}; on every other
     *     rank, an {@link MsccljException} of that kind, which names the failed rank and the reason
     */
    public static List<Message> gather(ControlPlane control, Topic topic, Supplier<byte[]> own) {
        Throwable failure = null;
        byte[] message;
        try {
            message = tagged(CONTRIBUTED, own.get());
        } catch (RuntimeException | Error e) { // whatever it is: the other ranks must not wait in vain
            failure = cause(e, control, topic);
            message = tagged(FAILED, RemoteFailure.encode(failure));
        }
        List<Message> all = tell(control, topic, message, failure);
        throwFailure(control.rank(), failure, all);
        List<Message> contributions = new ArrayList<>(all.size());
        for (Message one : all) {
            contributions.add(one.content(Message.class, Exchange::untagged));
        }
        return contributions;
    }

    /**
     * Compares bytes of all ranks. Collective.
     *
     * @param own returns the bytes of this rank; may throw, as in {@link #gather}
     * @param describer describes the bytes of a rank; called only if ranks differ
     * @param refusal makes the exception that every rank throws, from a description of the differences
     */
    public static void requireEqual(
            ControlPlane control,
            Topic topic,
            Supplier<byte[]> own,
            Function<byte[], String> describer,
            Function<String, InvalidArgumentException> refusal) {
        Differences.among(Message.bytes(gather(control, topic, own)), describer).ifPresent(differences -> {
            throw refusal.apply(differences);
        });
    }

    /**
     * Gathers the messages of all ranks. If the other ranks do not come, the failure of this rank is kept in the
     * exception.
     */
    private static List<Message> tell(ControlPlane control, Topic topic, byte[] message, @Nullable Throwable failure) {
        try {
            return control.allGather(topic, message);
        } catch (RuntimeException e) {
            if (failure instanceof OperationTimeoutException own && e instanceof OperationTimeoutException late) {
                throw both(own, late);
            }
            if (failure != null && !(e instanceof RankLostException)) { // the loss explains the failure
                e.addSuppressed(failure);
            }
            throw e;
        }
    }

    /** Combines two timeouts: the time of this rank's own wait was over, and therefore no other rank could come. */
    private static OperationTimeoutException both(OperationTimeoutException own, OperationTimeoutException late) {
        Set<Integer> missing = new TreeSet<>(own.missingRanks());
        missing.addAll(late.missingRanks());
        return new OperationTimeoutException(
                late.getMessage() + "; before that, " + own.getMessage(), List.copyOf(missing));
    }

    /**
     * Returns the cause of a failure. The memory of a rank that ends goes with it. A rank that maps this memory at that
     * moment fails before it learns of the loss, which explains the failure.
     */
    private static Throwable cause(Throwable failure, ControlPlane control, Topic topic) {
        return failure instanceof InvalidArgumentException // a refusal, whatever the other ranks do
                ? failure
                : control.ended(topic.toString(), NOTICE)
                        .map(Throwable.class::cast)
                        .orElse(failure);
    }

    private static void throwFailure(int ownRank, @Nullable Throwable own, List<Message> all) {
        switch (own) {
            case null -> {}
            case Error error -> throw error;
            case RuntimeException unchecked -> throw unchecked;
            default -> throw new IllegalStateException("suppliers throw nothing checked", own);
        }
        for (int rank = 0; rank < all.size(); rank++) {
            byte[] message = all.get(rank).bytes();
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

    private static Message untagged(byte[] tagged) {
        return new Message(Arrays.copyOfRange(tagged, 1, tagged.length));
    }

    private static byte[] tagged(byte tag, byte[] message) {
        byte[] tagged = new byte[message.length + 1];
        tagged[0] = tag;
        System.arraycopy(message, 0, tagged, 1, message.length);
        return tagged;
    }
}
