package org.mscclj.runtime.collective;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.Differences;
import org.mscclj.runtime.control.Exchange;
import org.mscclj.runtime.control.Wire;

/** Finds out whether all ranks mean the same call. */
final class KindAgreement {
    private final ControlPlane control;

    /** A kind, as ranks compare it. */
    private record Words(String shape, String places) {}

    KindAgreement(ControlPlane control) {
        this.control = control;
    }

    /**
     * Compares the shapes of a call.
     *
     * @param own makes this rank's kind; may throw, which refuses the call on every rank
     * @return whether the places of the buffers are equal on all ranks too
     * @throws InvalidArgumentException on every rank, if shapes differ; names the ranks
     */
    boolean requireEqualShapes(String what, Supplier<CallKind> own) {
        return differentPlaces(gather(what, own)).isEmpty();
    }

    /**
     * Compares the kinds of a call.
     *
     * @throws InvalidArgumentException on every rank, if shapes or places differ; names the ranks
     */
    void requireEqualKinds(String what, Supplier<CallKind> own) {
        differentPlaces(gather(what, own)).ifPresent(places -> {
            throw new InvalidArgumentException("ranks pass buffers at different places: " + places
                    + "; allowed: parts of the same registered allocations at equal offsets on all ranks, or"
                    + " plain memory on all;"
                    + " prepare(CollectiveCall) accepts any");
        });
    }

    /**
     * Makes a choice on every rank, and compares them. Collective.
     *
     * @param own makes this rank's choice; may throw, which refuses the call on every rank
     * @return what all have chosen
     * @throws InvalidArgumentException on every rank, if choices differ; names the ranks
     */
    Choice requireEqualChoices(Supplier<Choice> own) {
        Choice[] choice = new Choice[1];
        byte[][] all = Exchange.gather(control, "choose an algorithm", () -> {
            choice[0] = own.get();
            return choice[0].words().getBytes(StandardCharsets.UTF_8);
        });
        Differences.among(Arrays.stream(all)
                        .map(words -> new String(words, StandardCharsets.UTF_8))
                        .toList())
                .ifPresent(choices -> {
                    throw new InvalidArgumentException("ranks choose different algorithms: " + choices
                            + "; register the same plans, in the same order, and set selectors that"
                            + " decide alike, on all ranks");
                });
        return choice[0];
    }

    private List<Words> gather(String what, Supplier<CallKind> own) {
        byte[][] all = Exchange.gather(control, what, () -> encode(own.get()));
        List<Words> ranks =
                Wire.decodeAll(all, message -> Wire.decode(message, in -> new Words(in.readUTF(), in.readUTF())));
        Differences.among(ranks.stream().map(Words::shape).toList()).ifPresent(shapes -> {
            throw new InvalidArgumentException("ranks make different calls: " + shapes + "; all must make the same");
        });
        return ranks;
    }

    private static byte[] encode(CallKind kind) {
        return Wire.encode(out -> {
            out.writeUTF(kind.shape().toString());
            out.writeUTF("input in " + kind.input() + ", output in " + kind.output());
        });
    }

    private static Optional<String> differentPlaces(List<Words> ranks) {
        return Differences.among(ranks.stream().map(Words::places).toList());
    }
}
