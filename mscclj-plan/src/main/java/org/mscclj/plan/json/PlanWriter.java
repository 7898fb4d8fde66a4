package org.mscclj.plan.json;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.mscclj.api.error.FileProblem;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.PlainText;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.RemoteBuffer;
import org.mscclj.plan.SwitchGroup;
import org.mscclj.plan.ThreadBlock;
import org.mscclj.plan.document.JsonLayout;
import org.mscclj.plan.document.JsonWriter;

/**
 * Writes plan files for MSCCL++'s executor, with the keys in the order of MSCCL++'s DSL and one line for each
 * operation. {@link PlanReader} reads back an equal plan.
 */
public final class PlanWriter {
    private final JsonWriter out;
    private final OperationWriter operations;

    private PlanWriter(JsonWriter out) {
        this.out = out;
        operations = new OperationWriter(out);
    }

    /** The plan as text. */
    public static String write(Plan plan) {
        return JsonWriter.document(JsonLayout.INDENTED, out -> new PlanWriter(out).plan(plan));
    }

    /**
     * Writes the plan to a file, which it replaces.
     *
     * @throws InvalidArgumentException if the file cannot be written
     */
    public static void write(Plan plan, Path file) {
        try {
            Files.writeString(file, write(plan));
        } catch (IOException e) {
            throw new InvalidArgumentException(
                    PlainText.escape(file.toString()) + ": cannot be written: " + FileProblem.of(e), e);
        }
    }

    private void plan(Plan plan) {
        out.beginObject();
        out.field("name", plan.name());
        out.field("collective", plan.collective().label());
        out.field("protocol", plan.protocol().label());
        out.field("inplace", plan.inPlace());
        out.field("reuse_resources", plan.reuseResources());
        out.beginArray("gpus");
        plan.ranks().forEach(this::rank);
        out.end();
        out.field("num_threads_per_block", plan.threadsPerBlock());
        out.field("use_double_scratch_buffer", plan.doubleScratch());
        out.field("buffer_alignment", plan.bufferAlignment());
        out.unsigned("min_message_size", plan.minMessageSize());
        out.unsigned("max_message_size", plan.maxMessageSize());
        out.end();
    }

    private void rank(RankPlan rank) {
        out.beginObject();
        out.field("id", rank.rank());
        out.field("input_chunks", rank.inputChunks());
        out.field("output_chunks", rank.outputChunks());
        out.field("scratch_chunks", rank.scratchChunks());
        out.beginArray("threadblocks");
        rank.threadBlocks().forEach(this::threadBlock);
        out.end();
        out.beginArray("channels");
        peers(ChannelType.MEMORY, rank);
        peers(ChannelType.PORT, rank);
        rank.switchGroups().forEach(this::switchGroup);
        out.end();
        out.beginArray("remote_buffers");
        rank.remoteBuffers().forEach(this::remoteBuffer);
        out.end();
        out.beginArray("semaphores");
        rank.semaphoreInitialValues().forEach(this::semaphore);
        out.end();
        out.end();
    }

    private void peers(ChannelType type, RankPlan rank) {
        ids("channel_type", type, "connected_to", rank.channelPeers(type));
    }

    private void switchGroup(SwitchGroup group) {
        out.beginLine();
        out.field("channel_type", ChannelType.SWITCH.label());
        out.field("buffer_type", group.buffer().letter());
        out.beginArray("rank_groups");
        out.beginObject();
        out.field("size", group.ranks().size());
        out.integers("ranks", group.ranks());
        out.end();
        out.end();
        out.end();
    }

    private void remoteBuffer(RemoteBuffer buffer) {
        out.beginLine();
        out.field("rank", buffer.rank());
        out.field("type", buffer.buffer().letter());
        out.beginArray("access_channel_types");
        buffer.accessTypes().forEach(type -> out.value(type.label()));
        out.end();
        out.end();
    }

    private void semaphore(int initialValue) {
        out.beginLine();
        out.field("init_value", initialValue);
        out.end();
    }

    private void threadBlock(ThreadBlock block) {
        out.beginObject();
        out.field("id", block.id());
        out.beginArray("ops");
        block.operations().forEach(operations::write);
        out.end();
        out.beginArray("channels");
        for (ChannelType type : ChannelType.values()) {
            ids("channel_type", type, "channel_ids", block.channels(type));
        }
        out.end();
        out.beginArray("remote_buffer_refs");
        for (ChannelType type : ChannelType.values()) {
            ids("access_channel_type", type, "remote_buffer_ids", block.remoteBuffers(type));
        }
        out.end();
        out.end();
    }

    /** Writes ids of one channel type; omits an empty list. */
    private void ids(String typeKey, ChannelType type, String idsKey, List<Integer> ids) {
        if (ids.isEmpty()) {
            return;
        }
        out.beginLine();
        out.field(typeKey, type.label());
        out.integers(idsKey, ids);
        out.end();
    }
}
