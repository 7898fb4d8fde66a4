package org.mscclj.plan.json;

import java.util.List;
import org.mscclj.plan.BlockShare;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.Operation;
import org.mscclj.plan.document.JsonWriter;

/** Writes operations, one on each line; those of a pipeline on separate lines. */
final class OperationWriter {
    private final JsonWriter out;

    OperationWriter(JsonWriter out) {
        this.out = out;
    }

    void write(Operation operation) {
        out.beginLine();
        out.field("name", operation.label());
        switch (operation) {
            case Operation.Nop() -> {}
            case Operation.Barrier(int id, int threadBlocks) -> {
                out.field("barrier_id", id);
                out.field("num_threadblocks", threadBlocks);
            }
            case Operation.Signal(var type, var ids, var _) -> channels(type, ids);
            case Operation.Wait(var type, var ids, var _) -> channels(type, ids);
            case Operation.Flush(var type, var ids) -> channels(type, ids);
            case Operation.SemaphoreAcquire(var ids) -> out.integers("semaphore_ids", ids);
            case Operation.SemaphoreRelease(var ids) -> out.integers("semaphore_ids", ids);
            case Operation.Pipeline pipeline -> pipeline(pipeline);
            case Operation.Data data -> data(data);
        }
        out.end();
    }

    private void channels(ChannelType type, List<Integer> ids) {
        out.integers("channel_ids", ids);
        out.field("channel_type", type.label());
    }

    private void pipeline(Operation.Pipeline pipeline) {
        out.beginObject("iter_context");
        out.field("unit_size", pipeline.unitSize());
        out.field("num_chunks", pipeline.chunks());
        out.end();
        out.beginLines("ops");
        pipeline.operations().forEach(this::write);
        out.end();
    }

    private void data(Operation.Data data) {
        references("src_buff", data.sources());
        references("dst_buff", data.destinations());
        if (!data.channelIds().isEmpty()) {
            out.integers("channel_ids", data.channelIds());
        }
        data.channelType().ifPresent(type -> out.field("channel_type", type.label()));
        data.reduceOp().ifPresent(op -> out.field("reduce_op", op.label()));
        data.plainPlace().ifPresent(place -> out.field("plain_place", place));
        if (!data.share().equals(BlockShare.WHOLE)) {
            out.beginObject("tbg_info");
            out.field("tb_id", data.share().member());
            out.field("tbg_size", data.share().groupSize());
            out.end();
        }
    }

    private void references(String key, List<ChunkRef> references) {
        out.beginArray(key);
        for (ChunkRef reference : references) {
            out.beginObject();
            switch (reference) {
                case ChunkRef.Local local -> out.field("type", local.buffer().letter());
                case ChunkRef.Remote remote -> out.field("buffer_id", remote.bufferId());
                case ChunkRef.Multicast multicast -> out.field("switch_channel_id", multicast.switchChannelId());
            }
            out.field("index", reference.index());
            out.field("size", reference.size());
            out.end();
        }
        out.end();
    }
}
