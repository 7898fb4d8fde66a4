package org.mscclj.plan.json;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.document.JsonCursor;
import org.mscclj.plan.document.ObjectShape;

/**
 * Parses one operand of an operation: local by {@code type}, remote by {@code buffer_id}, multicast by
 * {@code switch_channel_id}.
 */
final class ReferenceParser {
    private static final ObjectShape SHAPE =
            ObjectShape.of(List.of("index", "size"), List.of("type", "buffer_id", "switch_channel_id"));

    private final JsonCursor in;
    private @Nullable BufferType type;
    private int bufferId = -1;
    private int switchChannelId = -1;
    private int index;
    private int size;

    private ReferenceParser(JsonCursor in) {
        this.in = in;
    }

    static ChunkRef reference(JsonCursor in) {
        ReferenceParser parser = new ReferenceParser(in);
        in.object(SHAPE, parser::value);
        return parser.make();
    }

    private void value(String key) {
        switch (key) {
            case "type" -> type = in.oneOf(Names.BUFFERS);
            case "buffer_id" -> bufferId = in.count();
            case "switch_channel_id" -> switchChannelId = in.count();
            case "index" -> index = in.count();
            case "size" -> size = in.count();
            default -> throw new AssertionError(key);
        }
    }

    private ChunkRef make() {
        // In some operands MSCCL++ also writes "rank" and "type", so the rarer key decides.
        if (switchChannelId >= 0 && bufferId >= 0) {
            throw in.error("both buffer_id and switch_channel_id are given; allowed: one of them, or type");
        }
        if (switchChannelId >= 0) {
            return new ChunkRef.Multicast(switchChannelId, index, size);
        }
        if (bufferId >= 0) {
            return new ChunkRef.Remote(bufferId, index, size);
        }
        if (type != null) {
            return new ChunkRef.Local(type, index, size);
        }
        throw in.error(
                "key type is missing; allowed: type (local), buffer_id (remote) or switch_channel_id (multicast)");
    }
}
