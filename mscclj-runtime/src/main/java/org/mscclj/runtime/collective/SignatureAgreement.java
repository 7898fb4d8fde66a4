package org.mscclj.runtime.collective;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.Differences;
import org.mscclj.runtime.control.Exchange;
import org.mscclj.runtime.control.Message;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.control.TopicKind;
import org.mscclj.runtime.control.Wire;
import org.mscclj.runtime.signature.BufferLocations;
import org.mscclj.runtime.signature.CallSignature;

/** Compares the kinds of the calls that the ranks make. */
final class SignatureAgreement {
    private final ControlPlane control;

    SignatureAgreement(ControlPlane control) {
        this.control = control;
    }

    /**
     * Compares the shapes of a call.
     *
     * @param own makes this rank's kind; if it throws, the call is refused on every rank
     * @return whether the locations of the buffers are equal on all ranks, too
     * @throws InvalidArgumentException on every rank, if shapes differ; names the ranks
     */
    boolean requireEqualShapes(TopicKind what, Supplier<PlacedCall> own) {
        return differentPlaces(gather(what, own)).isEmpty();
    }

    /**
     * Compares the kinds of a call.
     *
     * @throws InvalidArgumentException on every rank, if shapes or locations differ; names the ranks
     */
    void requireEqualKinds(TopicKind what, Supplier<PlacedCall> own) {
        differentPlaces(gather(what, own)).ifPresent(places -> {
            throw new InvalidArgumentException("ranks pass buffers at different places: " + places
                    + "; allowed: parts of the same registered allocations at equal offsets on all ranks, or"
                    + " plain memory on all;"
                    + " prepare(CollectiveCall) accepts any");
        });
    }

    /** Returns the signatures of all ranks, by rank; a single one if all are equal. */
    private List<CallSignature> gather(TopicKind what, Supplier<PlacedCall> own) {
        List<Message> all = Exchange.gather(
                control, Topic.of(what), () -> own.get().signature().encode());
        if (all.stream()
                .allMatch(one -> Arrays.equals(one.bytes(), all.getFirst().bytes()))) {
            return List.of(all.getFirst()
                    .content(CallSignature.class, CallSignature::decode)); // the usual case, also for many ranks
        }
        List<CallSignature> ranks = Wire.decodeAll(all, CallSignature.class, CallSignature::decode);
        Differences.among(ranks.stream().map(CallSignature::withoutPlaces).toList(), CallSignature::describe)
                .ifPresent(calls -> {
                    throw new InvalidArgumentException(
                            "ranks make different calls: " + calls + "; all must make the same");
                });
        return ranks;
    }

    private static Optional<String> differentPlaces(List<CallSignature> ranks) {
        return Differences.among(ranks.stream().map(CallSignature::places).toList(), BufferLocations::toString);
    }
}
