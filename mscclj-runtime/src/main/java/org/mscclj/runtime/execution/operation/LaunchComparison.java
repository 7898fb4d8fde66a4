package org.mscclj.runtime.execution.operation;

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
import org.mscclj.runtime.signature.LaunchSignature;

/** Compares the launches of all ranks before the ranks make them. A debugging option turns this on. */
public final class LaunchComparison {
    private LaunchComparison() {}

    /**
     * Contribution of a rank for its launch.
     *
     * @param sizes encoded sizes of its point-to-point transfers; empty if the operation does not consist of them
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Launch(byte[] signature, Message sizes) {
        byte[] encode() {
            return Wire.encode(out -> {
                Wire.writeBytes(out, signature);
                Wire.writeBytes(out, sizes.bytes());
            });
        }

        static Launch decode(byte[] message) {
            return Wire.decode(message, in -> new Launch(Wire.readBytes(in), Wire.readMessage(in)));
        }
    }

    /**
     * Compares the launches of all ranks. Collective.
     *
     * @param own signature of this rank's launch
     * @param sizes returns the sizes of this rank's point-to-point transfers, if the operation consists of them; if it
     *     throws, the launch is refused on every rank
     * @throws InvalidArgumentException on every rank, if launches differ; the exception names the ranks
     */
    public static void require(ControlPlane control, LaunchSignature own, Supplier<Optional<PartSizes>> sizes) {
        List<Launch> ranks = Wire.decodeAll(
                Exchange.gather(
                        control,
                        Topic.of(TopicKind.LAUNCH_PREPARED),
                        () -> new Launch(
                                        own.encode(),
                                        new Message(sizes.get()
                                                .map(PartSizes::encode)
                                                .orElseGet(() -> new byte[0])))
                                .encode()),
                Launch.class,
                Launch::decode);
        Differences.among(
                        ranks.stream().map(Launch::signature).toArray(byte[][]::new),
                        signature ->
                                "launch " + LaunchSignature.decode(signature).describe())
                .ifPresent(launches -> {
                    throw new InvalidArgumentException("ranks launch different operations; " + launches
                            + "; all ranks must make the same launches in the same order");
                });
        if (own.bytes().isEmpty()) { // on all ranks, since the signatures are equal
            PartSizes.requireEqualAtBothEnds(
                    own.describe(), ranks.stream().map(Launch::sizes).toList());
        }
    }
}
