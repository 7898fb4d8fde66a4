package org.mscclj.support.interpreter;

import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.mscclj.plan.BlockView;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;
import org.mscclj.spi.engine.ContextSpec;
import org.mscclj.spi.engine.LaunchSpec;
import org.mscclj.spi.proxy.Trigger;
import org.mscclj.support.memory.Memory;

/** The walk of one block through its operations, in one round. */
final class BlockWalk {
    private final BlockView block;
    private final Operands operands;
    private final ChannelSignals signals;
    private final BlockSync sync;
    private final DataOperations data;
    private final PortOperations ports;

    BlockWalk(
            ContextSpec spec,
            LaunchSpec launch,
            Memory memory,
            ChannelSignals signals,
            BlockSync sync,
            Operands operands) {
        this.block = operands.block();
        this.operands = operands;
        this.signals = signals;
        this.sync = sync;
        this.data = new DataOperations(memory, launch, operands);
        this.ports = new PortOperations(spec, launch, operands);
    }

    /** The actions of the block, in order. The stream resolves the operands of an operation when it arrives there. */
    Stream<Action> actions() {
        return block.block().operations().stream().flatMap(operation -> switch (operation) {
            case Operation.Pipeline pipeline -> iterations(pipeline);
            default -> actions(operation, IterationRange.WHOLE);
        });
    }

    /** The actions of each operation once, so that what cannot be resolved is found before a launch. */
    Stream<Action> actionsOnce() {
        return block.block().operations().stream()
                .flatMap(operation -> operation instanceof Operation.Pipeline pipeline
                        ? pipeline.operations().stream()
                        : Stream.of(operation))
                .flatMap(operation -> actions(operation, IterationRange.WHOLE));
    }

    private Stream<Action> iterations(Operation.Pipeline pipeline) {
        long unit = pipeline.unitSize();
        return LongStream.range(0, operands.layout().iterations(pipeline.chunks(), unit))
                .mapToObj(i -> new IterationRange(i * unit, (i + 1) * unit))
                .flatMap(part -> pipeline.operations().stream().flatMap(inner -> actions(inner, part)));
    }

    private Stream<Action> actions(Operation operation, IterationRange part) {
        return switch (operation) {
            case Operation.Nop _ -> Stream.of(); // one thread carries out the block
            case Operation.Barrier barrier -> sync.barrier(barrier);
            case Operation.SemaphoreAcquire acquire -> sync.acquire(acquire);
            case Operation.SemaphoreRelease release -> sync.release(release);
            case Operation.Signal signal ->
                signal.channelType() == ChannelType.PORT
                        ? ports.request(signal.channelIds(), Trigger.SIGNAL)
                        : channels(signal.channelType(), signal.channelIds()).map(signals::signal);
            case Operation.Wait wait ->
                channels(wait.channelType(), wait.channelIds())
                        .map(channel -> signals.await(wait.channelType(), channel));
            case Operation.Flush flush -> ports.request(flush.channelIds(), Trigger.FLUSH);
            case Operation.Data move -> actions(move, part);
            case Operation.Pipeline _ ->
                throw new IllegalStateException(operands.where() + ": pipelines do not nest in a valid plan");
        };
    }

    /** Packets are whole in every iteration of a pipeline, since their flag is that of the round. */
    private Stream<Action> actions(Operation.Data move, IterationRange part) {
        IterationRange handled = move.kind().packets() ? IterationRange.WHOLE : part;
        if (!move.byPort()) {
            return data.actions(move, handled);
        }
        return move.kind() == DataKind.READ_PUT_PACKETS
                ? Stream.concat(Stream.of(data.await(move)), ports.put(move, handled))
                : ports.put(move, handled);
    }

    private Stream<Integer> channels(ChannelType type, List<Integer> ids) {
        return ids.stream().map(id -> block.channel(type, id));
    }
}
