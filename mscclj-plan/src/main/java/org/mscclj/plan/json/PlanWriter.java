package org.mscclj.plan.json;

import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
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
import org.mscclj.plan.document.LineLayout;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.json.JsonFactory;

/**
 * Writes plan files for MSCCL++'s executor, with the keys in the order of MSCCL++'s DSL and one line for each
 * operation. {@link PlanReader} reads back an equal plan.
 */
public final class PlanWriter {
    private static final JsonFactory FACTORY = new JsonFactory();

    private final LineLayout layout = new LineLayout();
    private final JsonGenerator out;
    private final OperationWriter operations;

    private PlanWriter(StringWriter target) {
        out = FACTORY.createGenerator(new LaidOut(layout), target);
        operations = new OperationWriter(out, layout);
    }

    /** The plan as text. */
    public static String write(Plan plan) {
        StringWriter text = new StringWriter();
        PlanWriter writer = new PlanWriter(text);
        writer.plan(plan);
        writer.out.close();
        return text.append('\n').toString();
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
        out.writeStartObject();
        out.writeStringProperty("name", plan.name());
        out.writeStringProperty("collective", plan.collective().label());
        out.writeStringProperty("protocol", plan.protocol().label());
        out.writeBooleanProperty("inplace", plan.inPlace());
        out.writeBooleanProperty("reuse_resources", plan.reuseResources());
        out.writeArrayPropertyStart("gpus");
        plan.ranks().forEach(this::rank);
        out.writeEndArray();
        out.writeNumberProperty("num_threads_per_block", plan.threadsPerBlock());
        out.writeBooleanProperty("use_double_scratch_buffer", plan.doubleScratch());
        out.writeNumberProperty("buffer_alignment", plan.bufferAlignment());
        out.writeNumberProperty("min_message_size", unsigned(plan.minMessageSize()));
        out.writeNumberProperty("max_message_size", unsigned(plan.maxMessageSize()));
        out.writeEndObject();
    }

    private static BigInteger unsigned(long value) {
        return new BigInteger(Long.toUnsignedString(value));
    }

    private void rank(RankPlan rank) {
        out.writeStartObject();
        out.writeNumberProperty("id", rank.rank());
        out.writeNumberProperty("input_chunks", rank.inputChunks());
        out.writeNumberProperty("output_chunks", rank.outputChunks());
        out.writeNumberProperty("scratch_chunks", rank.scratchChunks());
        out.writeArrayPropertyStart("threadblocks");
        rank.threadBlocks().forEach(this::threadBlock);
        out.writeEndArray();
        out.writeArrayPropertyStart("channels");
        peers(ChannelType.MEMORY, rank);
        peers(ChannelType.PORT, rank);
        rank.switchGroups().forEach(this::switchGroup);
        out.writeEndArray();
        out.writeArrayPropertyStart("remote_buffers");
        rank.remoteBuffers().forEach(this::remoteBuffer);
        out.writeEndArray();
        out.writeArrayPropertyStart("semaphores");
        rank.semaphoreInitialValues().forEach(this::semaphore);
        out.writeEndArray();
        out.writeEndObject();
    }

    private void peers(ChannelType type, RankPlan rank) {
        ids("channel_type", type, "connected_to", rank.channelPeers(type));
    }

    private void switchGroup(SwitchGroup group) {
        layout.object(out, () -> {
            out.writeStringProperty("channel_type", ChannelType.SWITCH.label());
            out.writeStringProperty("buffer_type", group.buffer().letter());
            out.writeArrayPropertyStart("rank_groups");
            out.writeStartObject();
            out.writeNumberProperty("size", group.ranks().size());
            JsonLists.integers(out, "ranks", group.ranks());
            out.writeEndObject();
            out.writeEndArray();
        });
    }

    private void remoteBuffer(RemoteBuffer buffer) {
        layout.object(out, () -> {
            out.writeNumberProperty("rank", buffer.rank());
            out.writeStringProperty("type", buffer.buffer().letter());
            out.writeArrayPropertyStart("access_channel_types");
            buffer.accessTypes().forEach(type -> out.writeString(type.label()));
            out.writeEndArray();
        });
    }

    private void semaphore(int initialValue) {
        layout.object(out, () -> {
            out.writeNumberProperty("init_value", initialValue);
        });
    }

    private void threadBlock(ThreadBlock block) {
        out.writeStartObject();
        out.writeNumberProperty("id", block.id());
        out.writeArrayPropertyStart("ops");
        block.operations().forEach(operations::write);
        out.writeEndArray();
        out.writeArrayPropertyStart("channels");
        for (ChannelType type : ChannelType.values()) {
            ids("channel_type", type, "channel_ids", block.channels(type));
        }
        out.writeEndArray();
        out.writeArrayPropertyStart("remote_buffer_refs");
        for (ChannelType type : ChannelType.values()) {
            ids("access_channel_type", type, "remote_buffer_ids", block.remoteBuffers(type));
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    /** Writes ids of one channel type; omits an empty list. */
    private void ids(String typeKey, ChannelType type, String idsKey, List<Integer> ids) {
        if (ids.isEmpty()) {
            return;
        }
        layout.object(out, () -> {
            out.writeStringProperty(typeKey, type.label());
            JsonLists.integers(out, idsKey, ids);
        });
    }

    /** Passes the layout to the generator. */
    private static final class LaidOut extends ObjectWriteContext.Base {
        private final PrettyPrinter layout;

        LaidOut(PrettyPrinter layout) {
            this.layout = layout;
        }

        @Override
        public PrettyPrinter getPrettyPrinter() {
            return layout;
        }

        @Override
        public boolean hasPrettyPrinter() {
            return true;
        }
    }
}
