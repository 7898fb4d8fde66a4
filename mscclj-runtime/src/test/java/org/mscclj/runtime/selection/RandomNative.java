package org.mscclj.runtime.selection;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.NativeAlgorithm;
import org.mscclj.api.algorithm.AllowedArguments;
import org.mscclj.api.algorithm.CallKind;
import org.mscclj.api.algorithm.CallShape;
import org.mscclj.api.algorithm.LaunchSize;
import org.mscclj.api.device.Stream;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * A native algorithm that serves some calls of a collective.
 *
 * @param most the largest message
 * @param mostRanks the largest world
 * @param mostRanksPerNode the most ranks of a node
 * @param needsRegistered whether it serves registered buffers only
 */
record RandomNative(
        String name,
        Collective collective,
        long most,
        int mostRanks,
        int mostRanksPerNode,
        Set<DataType> types,
        Set<ReduceOp.Kind> ops,
        boolean inPlace,
        boolean needsRegistered,
        boolean onlyByName,
        AllowedArguments allowedArguments)
        implements NativeAlgorithm<AutoCloseable> {
    static RandomNative of(Random random, String name, Collective collective) {
        return new RandomNative(
                name,
                collective,
                1L << random.nextInt(34),
                random.nextInt(4) > 0 ? 8 : 2,
                random.nextInt(4) > 0 ? 8 : 2,
                random.nextInt(4) > 0 ? EnumSet.allOf(DataType.class) : EnumSet.of(DataType.FLOAT32),
                random.nextInt(4) > 0 ? EnumSet.allOf(ReduceOp.Kind.class) : EnumSet.of(ReduceOp.Kind.SUM),
                random.nextInt(4) > 0,
                random.nextBoolean(),
                random.nextInt(4) == 0,
                new AllowedArguments(
                        random.nextBoolean() ? List.of(4, 8) : List.of(),
                        random.nextBoolean() ? List.of(256, 512) : List.of(),
                        random.nextBoolean() ? Set.of("counter") : Set.of(),
                        random.nextBoolean() ? EnumSet.of(DataType.FLOAT32) : Set.of()));
    }

    @Override
    public Optional<String> refusal(CallShape shape) {
        return !fits(shape) ? Optional.of("it is for other calls") : Optional.empty();
    }

    /** Returns whether it serves a call. */
    boolean fits(CallShape shape) {
        return shape.bytes() <= most
                && shape.ranks() <= mostRanks
                && shape.ranksPerNode() <= mostRanksPerNode
                && types.contains(shape.type())
                && (!collective.reduces() || ops.contains(shape.op().kind()))
                && (inPlace || !shape.inPlace())
                && (!needsRegistered || shape.registered());
    }

    @Override
    public AutoCloseable context(Communicator communicator, CallKind kind) {
        throw new IllegalStateException("nothing is called");
    }

    @Override
    public void launch(AutoCloseable context, CollectiveCall call, LaunchSize size, Stream stream) {}
}
