package org.mscclj.plan.json;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Operation;
import org.mscclj.plan.ThreadBlock;
import org.mscclj.plan.document.JsonCursor;
import org.mscclj.plan.document.ObjectShape;

/** Parses one thread block of a rank. */
final class ThreadBlockParser {
    private static final ObjectShape SHAPE =
            ObjectShape.of(List.of("id", "ops"), List.of("channels", "remote_buffer_refs"));
    private static final ObjectShape CHANNELS = ObjectShape.of(List.of("channel_type", "channel_ids"), List.of());
    private static final ObjectShape REMOTE_BUFFERS =
            ObjectShape.of(List.of("access_channel_type", "remote_buffer_ids"), List.of());
    private static final Map<String, ChannelType> ACCESS_TYPES = RankParser.ACCESS_TYPES;

    /** Ids of one entry, which may precede the entry's type. */
    private static final class Entry {
        private @Nullable ChannelType type;
        private List<Integer> ids = List.of();
    }

    private final JsonCursor in;
    private int id;
    private List<Operation> operations = List.of();
    private final List<Integer> memoryChannels = new ArrayList<>();
    private final List<Integer> portChannels = new ArrayList<>();
    private final List<Integer> switchChannels = new ArrayList<>();
    private final List<Integer> memoryBuffers = new ArrayList<>();
    private final List<Integer> portBuffers = new ArrayList<>();

    private ThreadBlockParser(JsonCursor in) {
        this.in = in;
    }

    static ThreadBlock threadBlock(JsonCursor in) {
        ThreadBlockParser parser = new ThreadBlockParser(in);
        in.object(SHAPE, parser::value);
        return new ThreadBlock(
                parser.id,
                parser.operations,
                parser.memoryChannels,
                parser.portChannels,
                parser.switchChannels,
                parser.memoryBuffers,
                parser.portBuffers);
    }

    private void value(String key) {
        switch (key) {
            case "id" -> id = in.count();
            case "ops" -> operations = in.list(() -> OperationParser.operation(in));
            case "channels" -> in.list(this::channels);
            case "remote_buffer_refs" -> in.list(this::remoteBuffers);
            default -> throw new AssertionError(key);
        }
    }

    private Entry channels() {
        Entry entry = new Entry();
        in.object(CHANNELS, key -> {
            if (key.equals("channel_type")) {
                entry.type = in.oneOf(Names.CHANNELS);
            } else {
                entry.ids = in.list(in::count);
            }
        });
        switch (entry.type) {
            case MEMORY -> memoryChannels.addAll(entry.ids);
            case PORT -> portChannels.addAll(entry.ids);
            case SWITCH -> switchChannels.addAll(entry.ids);
            case null -> throw in.missing("channel_type");
        }
        return entry;
    }

    private Entry remoteBuffers() {
        Entry entry = new Entry();
        in.object(REMOTE_BUFFERS, key -> {
            if (key.equals("access_channel_type")) {
                entry.type = in.oneOf(ACCESS_TYPES);
            } else {
                entry.ids = in.list(in::count);
            }
        });
        (entry.type == ChannelType.MEMORY ? memoryBuffers : portBuffers).addAll(entry.ids);
        return entry;
    }
}
