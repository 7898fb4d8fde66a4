package org.mscclj.plan.json;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.RemoteBuffer;
import org.mscclj.plan.SwitchGroup;
import org.mscclj.plan.ThreadBlock;
import org.mscclj.plan.document.JsonCursor;
import org.mscclj.plan.document.ObjectShape;

/** Parses one entry of {@code gpus}. */
final class RankParser {
    /** The channel types through which the buffer of a single peer can be accessed. */
    static final Map<String, ChannelType> ACCESS_TYPES = accessTypes();

    private static final ObjectShape SHAPE = ObjectShape.of(
            List.of("id", "input_chunks", "output_chunks", "scratch_chunks", "threadblocks"),
            List.of("channels", "remote_buffers", "semaphores"));
    private static final ObjectShape CHANNEL =
            ObjectShape.of(List.of("channel_type"), List.of("connected_to", "buffer_type", "rank_groups"));
    private static final ObjectShape RANK_GROUP = ObjectShape.of(List.of("size", "ranks"), List.of());
    private static final ObjectShape REMOTE_BUFFER =
            ObjectShape.of(List.of("rank", "type", "access_channel_types"), List.of());
    private static final ObjectShape SEMAPHORE = ObjectShape.of(List.of("init_value"), List.of());

    private final JsonCursor in;
    private int id;
    private int inputChunks;
    private int outputChunks;
    private int scratchChunks;
    private List<ThreadBlock> threadBlocks = List.of();
    private final List<Integer> memoryPeers = new ArrayList<>();
    private final List<Integer> portPeers = new ArrayList<>();
    private final List<SwitchGroup> switchGroups = new ArrayList<>();
    private List<RemoteBuffer> remoteBuffers = List.of();
    private List<Integer> semaphores = List.of();

    private RankParser(JsonCursor in) {
        this.in = in;
    }

    static RankPlan rank(JsonCursor in) {
        RankParser parser = new RankParser(in);
        in.object(SHAPE, parser::value);
        return new RankPlan(
                parser.id,
                parser.inputChunks,
                parser.outputChunks,
                parser.scratchChunks,
                parser.threadBlocks,
                parser.memoryPeers,
                parser.portPeers,
                parser.switchGroups,
                parser.remoteBuffers,
                parser.semaphores);
    }

    private void value(String key) {
        switch (key) {
            case "id" -> id = in.count();
            case "input_chunks" -> inputChunks = in.count();
            case "output_chunks" -> outputChunks = in.count();
            case "scratch_chunks" -> scratchChunks = in.count();
            case "threadblocks" -> threadBlocks = in.list(() -> ThreadBlockParser.threadBlock(in));
            case "channels" -> in.list(() -> new ChannelEntry().read());
            case "remote_buffers" -> remoteBuffers = in.list(() -> new RemoteBufferEntry().read());
            case "semaphores" -> semaphores = in.list(this::semaphore);
            default -> throw new AssertionError(key);
        }
    }

    private Integer semaphore() {
        int[] value = new int[1];
        in.object(SEMAPHORE, key -> value[0] = in.count());
        return value[0];
    }

    /** All channels of a type, or the switch channels of some groups over one buffer. */
    private final class ChannelEntry {
        private @Nullable ChannelType type;
        private @Nullable List<Integer> peers;
        private @Nullable BufferType buffer;
        private @Nullable List<List<Integer>> groups;

        ChannelEntry read() {
            in.object(CHANNEL, this::value);
            if (type == ChannelType.SWITCH) {
                addGroups();
            } else if (peers == null) {
                throw in.missing("connected_to");
            } else {
                (type == ChannelType.MEMORY ? memoryPeers : portPeers).addAll(peers);
            }
            return this;
        }

        private void value(String key) {
            switch (key) {
                case "channel_type" -> type = in.oneOf(Names.CHANNELS);
                case "connected_to" -> peers = in.list(in::count);
                case "buffer_type" -> buffer = in.oneOf(Names.BUFFERS);
                case "rank_groups" -> groups = in.list(this::group);
                default -> throw new AssertionError(key);
            }
        }

        private void addGroups() {
            if (buffer == null) {
                throw in.error("key buffer_type is missing: a switch channel needs a buffer;" + " allowed: one of "
                        + String.join(", ", Names.BUFFERS.keySet()));
            }
            if (groups == null) {
                throw in.missing("rank_groups");
            }
            for (List<Integer> ranks : groups) {
                switchGroups.add(new SwitchGroup(buffer, ranks));
            }
        }

        private List<Integer> group() {
            int[] size = new int[1];
            List<Integer> ranks = new ArrayList<>();
            in.object(RANK_GROUP, key -> {
                if (key.equals("size")) {
                    size[0] = in.count();
                } else {
                    ranks.addAll(in.list(in::count));
                }
            });
            if (size[0] != ranks.size()) {
                throw in.error("size is " + size[0] + "; allowed: " + ranks.size() + ", the number of ranks listed");
            }
            return ranks;
        }
    }

    /** A peer's buffer. */
    private final class RemoteBufferEntry {
        private int rank;
        private @Nullable BufferType type;
        private List<ChannelType> accessTypes = List.of();

        RemoteBuffer read() {
            in.object(REMOTE_BUFFER, this::value);
            if (type == null) {
                throw in.missing("type");
            }
            return new RemoteBuffer(rank, type, accessTypes);
        }

        private void value(String key) {
            switch (key) {
                case "rank" -> rank = in.count();
                case "type" -> type = in.oneOf(Names.BUFFERS);
                case "access_channel_types" -> accessTypes = in.list(() -> in.oneOf(ACCESS_TYPES));
                default -> throw new AssertionError(key);
            }
        }
    }

    private static Map<String, ChannelType> accessTypes() {
        Map<String, ChannelType> types = new LinkedHashMap<>(Names.CHANNELS);
        types.remove(ChannelType.SWITCH.label());
        return Collections.unmodifiableMap(types);
    }
}
