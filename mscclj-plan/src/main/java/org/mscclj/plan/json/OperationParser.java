package org.mscclj.plan.json;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.PlainText;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.BlockShare;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;
import org.mscclj.plan.document.JsonCursor;
import org.mscclj.plan.document.ObjectShape;

/**
 * One operation of a plan file. Which keys must be present depends on {@code name}, which may come last: so all known
 * keys are read first, and then the operation is made of them.
 */
final class OperationParser {
    private static final ObjectShape SHAPE = ObjectShape.of(
            List.of("name"),
            List.of(
                    "channel_type",
                    "channel_ids",
                    "src_buff",
                    "dst_buff",
                    "tbg_info",
                    "reduce_op",
                    "plain_place",
                    "barrier_id",
                    "num_threadblocks",
                    "semaphore_ids",
                    "iter_context",
                    "ops"));

    private static final ObjectShape SHARE = ObjectShape.of(List.of("tb_id", "tbg_size"), List.of());
    private static final ObjectShape ITERATIONS = ObjectShape.of(List.of("unit_size", "num_chunks"), List.of());
    private static final Operation NOP = new Operation.Nop();

    private final JsonCursor in;
    private final boolean insidePipeline;

    private String name = "";
    private @Nullable ChannelType channelType;
    private @Nullable List<Integer> channelIds;
    private @Nullable List<ChunkRef> sources;
    private @Nullable List<ChunkRef> destinations;
    private ReduceOp.@Nullable Kind reduceOp;
    private OptionalInt plainPlace = OptionalInt.empty();
    private @Nullable List<Integer> semaphoreIds;
    private @Nullable List<Operation> operations;
    private BlockShare share = BlockShare.WHOLE;
    private int member;
    private int groupSize;
    private int barrierId = -1;
    private int threadBlocks = -1;
    private long unitSize;
    private int iterationChunks = -1;

    private OperationParser(JsonCursor in, boolean insidePipeline) {
        this.in = in;
        this.insidePipeline = insidePipeline;
    }

    /** Reads an operation of a thread block. */
    static Operation operation(JsonCursor in) {
        return new OperationParser(in, false).read();
    }

    private Operation read() {
        in.object(SHAPE, this::value);
        return make();
    }

    private void value(String key) {
        switch (key) {
            case "name" -> {
                name = in.string();
                // The label goes into messages, so it must be a known and harmless name.
                if (isKnown(name)) {
                    in.label(name);
                } else {
                    throw unknownName();
                }
            }
            case "channel_type" -> channelType = in.oneOf(Names.CHANNELS);
            case "channel_ids" -> channelIds = in.list(in::count);
            case "src_buff" -> sources = in.list(() -> ReferenceParser.reference(in));
            case "dst_buff" -> destinations = in.list(() -> ReferenceParser.reference(in));
            case "tbg_info" -> {
                in.object(SHARE, this::shareValue);
                share = groupSize == 1 && member == 0 ? BlockShare.WHOLE : new BlockShare(member, groupSize);
            }
            case "reduce_op" -> reduceOp = in.oneOf(Names.REDUCE_OPS);
            case "plain_place" -> plainPlace = OptionalInt.of(in.count());
            case "barrier_id" -> barrierId = in.count();
            case "num_threadblocks" -> threadBlocks = in.count();
            case "semaphore_ids" -> semaphoreIds = in.list(in::count);
            case "iter_context" -> in.object(ITERATIONS, this::iterationValue);
            case "ops" -> {
                // Refused here, not by the validator, so that no input can cause recursion.
                if (insidePipeline) {
                    throw in.error("an operation inside a pipeline has operations of its own; pipelines do not nest");
                }
                operations = in.list(() -> new OperationParser(in, true).read());
            }
            default -> throw new AssertionError(key);
        }
    }

    private void shareValue(String key) {
        if (key.equals("tb_id")) {
            member = in.count();
        } else {
            groupSize = in.count();
        }
    }

    private void iterationValue(String key) {
        if (key.equals("unit_size")) {
            unitSize = in.longCount();
        } else {
            iterationChunks = in.count();
        }
    }

    private static boolean isKnown(String name) {
        return Names.DATA_KINDS.containsKey(name) || Names.CONTROL.contains(name);
    }

    private RuntimeException unknownName() {
        if (name.equals("glre")) {
            return in.error(
                    "glre is a switch reduce that was not fused with a store, which MSCCL++'s executor refuses, too;"
                            + " store its result through the same switch channel, next to it, so that the two"
                            + " become glres");
        }
        return in.error("given is " + PlainText.quote(name) + "; allowed: one of " + String.join(", ", Names.CONTROL)
                + ", " + String.join(", ", Names.DATA_KINDS.keySet()));
    }

    private Operation make() {
        return switch (name) {
            case "nop" -> NOP;
            case "barrier" -> barrier();
            case "signal" -> new Operation.Signal(channelType(), channelIds(), false);
            case "rlxsignal" -> new Operation.Signal(channelType(), channelIds(), true);
            case "wait" -> new Operation.Wait(channelType(), channelIds(), false);
            case "rlxwait" -> new Operation.Wait(channelType(), channelIds(), true);
            case "flush" -> new Operation.Flush(channelType(), channelIds());
            case "sem_acquire" -> new Operation.SemaphoreAcquire(require("semaphore_ids", semaphoreIds));
            case "sem_release" -> new Operation.SemaphoreRelease(require("semaphore_ids", semaphoreIds));
            case "pipeline" -> pipeline();
            default -> data(require("name", Names.DATA_KINDS.get(name)));
        };
    }

    private Operation barrier() {
        if (barrierId < 0) {
            throw in.missing("barrier_id");
        }
        if (threadBlocks < 0) {
            throw in.missing("num_threadblocks");
        }
        return new Operation.Barrier(barrierId, threadBlocks);
    }

    private Operation pipeline() {
        if (insidePipeline) {
            throw in.error("a pipeline stands inside a pipeline; pipelines do not nest");
        }
        if (iterationChunks < 0) {
            throw in.missing("iter_context");
        }
        return new Operation.Pipeline(unitSize, iterationChunks, require("ops", operations));
    }

    private Operation data(DataKind kind) {
        List<ChunkRef> src = require("src_buff", sources);
        List<ChunkRef> dst = require("dst_buff", destinations);
        return new Operation.Data(
                kind,
                kind.local() ? Optional.empty() : Optional.ofNullable(channelType),
                kind.local() || channelIds == null ? List.of() : channelIds,
                src,
                dst,
                share,
                Optional.ofNullable(reduceOp),
                plainPlace);
    }

    private ChannelType channelType() {
        return require("channel_type", channelType);
    }

    private List<Integer> channelIds() {
        return require("channel_ids", channelIds);
    }

    private <T> T require(String key, @Nullable T value) {
        if (value == null) {
            throw in.missing(key);
        }
        return value;
    }
}
