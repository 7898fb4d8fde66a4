package org.mscclj.plan.json;

import java.util.List;
import org.mscclj.plan.BlockShare;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.Operation;
import org.mscclj.plan.document.LineLayout;
import tools.jackson.core.JsonGenerator;

/** Writes operations, one on each line; those of a pipeline on separate lines. */
final class OperationWriter {
    private final JsonGenerator out;
    private final LineLayout layout;

    OperationWriter(JsonGenerator out, LineLayout layout) {
        this.out = out;
        this.layout = layout;
    }

    void write(Operation operation) {
        layout.object(out, () -> {
            out.writeStringProperty("name", operation.label());
            switch (operation) {
                case Operation.Nop() -> {}
                case Operation.Barrier(int id, int threadBlocks) -> {
                    out.writeNumberProperty("barrier_id", id);
                    out.writeNumberProperty("num_threadblocks", threadBlocks);
                }
                case Operation.Signal(var type, var ids, var _) -> channels(type, ids);
                case Operation.Wait(var type, var ids, var _) -> channels(type, ids);
                case Operation.Flush(var type, var ids) -> channels(type, ids);
                case Operation.SemaphoreAcquire(var ids) -> JsonLists.integers(out, "semaphore_ids", ids);
                case Operation.SemaphoreRelease(var ids) -> JsonLists.integers(out, "semaphore_ids", ids);
                case Operation.Pipeline pipeline -> pipeline(pipeline);
                case Operation.Data data -> data(data);
            }
        });
    }

    private void channels(ChannelType type, List<Integer> ids) {
        JsonLists.integers(out, "channel_ids", ids);
        out.writeStringProperty("channel_type", type.label());
    }

    private void pipeline(Operation.Pipeline pipeline) {
        out.writeObjectPropertyStart("iter_context");
        out.writeNumberProperty("unit_size", pipeline.unitSize());
        out.writeNumberProperty("num_chunks", pipeline.chunks());
        out.writeEndObject();
        out.writeArrayPropertyStart("ops");
        layout.onManyLines(() -> {
            pipeline.operations().forEach(this::write);
            out.writeEndArray();
        });
    }

    private void data(Operation.Data data) {
        references("src_buff", data.sources());
        references("dst_buff", data.destinations());
        if (!data.channelIds().isEmpty()) {
            JsonLists.integers(out, "channel_ids", data.channelIds());
        }
        data.channelType().ifPresent(type -> out.writeStringProperty("channel_type", type.label()));
        data.reduceOp().ifPresent(op -> out.writeStringProperty("reduce_op", op.label()));
        if (!data.share().equals(BlockShare.WHOLE)) {
            out.writeObjectPropertyStart("tbg_info");
            out.writeNumberProperty("tb_id", data.share().member());
            out.writeNumberProperty("tbg_size", data.share().groupSize());
            out.writeEndObject();
        }
    }

    private void references(String key, List<ChunkRef> references) {
        out.writeArrayPropertyStart(key);
        for (ChunkRef reference : references) {
            out.writeStartObject();
            switch (reference) {
                case ChunkRef.Local local ->
                    out.writeStringProperty("type", local.buffer().letter());
                case ChunkRef.Remote remote -> out.writeNumberProperty("buffer_id", remote.bufferId());
                case ChunkRef.Multicast multicast ->
                    out.writeNumberProperty("switch_channel_id", multicast.switchChannelId());
            }
            out.writeNumberProperty("index", reference.index());
            out.writeNumberProperty("size", reference.size());
            out.writeEndObject();
        }
        out.writeEndArray();
    }
}
