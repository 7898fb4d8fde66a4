package org.mscclj.plan.validation;

import static org.mscclj.plan.ChannelType.MEMORY;
import static org.mscclj.plan.ChannelType.PORT;
import static org.mscclj.plan.ChannelType.SWITCH;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.mscclj.plan.BlockShare;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.OperandRole;
import org.mscclj.plan.OperandShape;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.RemoteBuffer;
import org.mscclj.plan.SwitchGroup;
import org.mscclj.plan.ThreadBlock;

/**
 * Checks the operands of data operations: their number, their buffers, whether they are plain data or packets, and that
 * their chunks exist in the buffer of the rank that owns it.
 */
final class OperandRules {
    private final Plan plan;
    private final RankPlan rank;
    private final ThreadBlock block;

    OperandRules(Plan plan, RankPlan rank, ThreadBlock block) {
        this.plan = plan;
        this.rank = rank;
        this.block = block;
    }

    void check(Operation.Data data, FaultSite site) {
        checkProtocol(data.kind(), site);
        checkChannelType(data, site);
        checkShare(data.share(), site);
        checkReduceOp(data, site);
        checkOperands("src_buff", data.sources(), OperandShape.sources(data), data, site);
        checkOperands("dst_buff", data.destinations(), OperandShape.destinations(data.kind()), data, site);
        checkPlainPlace(data, site);
        checkSizes(data, site);
        checkChannels(data, site);
    }

    private void checkProtocol(DataKind kind, FaultSite site) {
        if (kind.packets() && !plan.usesPackets()) {
            throw site.fault(
                    "name",
                    kind.label(),
                    "operations without packets, since the plan's protocol is Simple, whose scratch is too small for"
                            + " packets: MSCCL++'s executor would write past its end; or protocol LL or LL128");
        }
    }

    private void checkChannelType(Operation.Data data, FaultSite site) {
        if (data.channelType().isPresent()) {
            ChannelType given = data.channelType().get();
            if (!channelTypes(data.kind()).contains(given)) {
                throw site.fault("channel_type", given.label(), labels(channelTypes(data.kind())));
            }
        } else if (data.sources().stream().anyMatch(ref -> !(ref instanceof ChunkRef.Local))
                || data.destinations().stream().anyMatch(ref -> !(ref instanceof ChunkRef.Local))) {
            throw site.fault("channel_type", "missing", labels(channelTypes(data.kind())));
        }
    }

    private static String labels(Set<ChannelType> types) {
        return types.isEmpty()
                ? "none, since all operands are local"
                : String.join(", ", types.stream().map(ChannelType::label).toList());
    }

    private static void checkShare(BlockShare share, FaultSite site) {
        if (share.groupSize() < 1) {
            throw site.fault("tbg_info.tbg_size", share.groupSize(), "1 or more");
        }
        site.requireIndex("tbg_info.tb_id", share.member(), share.groupSize(), "members of the group");
    }

    private static void checkReduceOp(Operation.Data data, FaultSite site) {
        data.reduceOp().ifPresent(op -> {
            if (!data.kind().reduces()) {
                throw site.fault(
                        "reduce_op", op.label(), "none, since " + data.kind().label() + " does not reduce");
            }
            if (!FixedReduceOp.FIXABLE.contains(op)) {
                throw site.fault("reduce_op", op.label(), "sum, min, max, or none for the caller's choice");
            }
        });
    }

    private static void checkPlainPlace(Operation.Data data, FaultSite site) {
        data.plainPlace().ifPresent(place -> {
            if (!data.kind().reducesPackets()) {
                throw site.fault(
                        "plain_place", place, "none, since " + data.kind().label() + " does not reduce packets");
            }
            site.requireIndex("plain_place", place, data.sources().size(), "operands of the reduction");
        });
    }

    private void checkOperands(
            String key, List<ChunkRef> refs, OperandShape shape, Operation.Data data, FaultSite site) {
        if (!shape.allows(refs.size())) {
            throw site.fault("number of operands in " + key, refs.size(), shape.count());
        }
        for (int i = 0; i < refs.size(); i++) {
            checkOperand(new ListItem(key, i), refs.get(i), shape.role(i), data, site);
        }
    }

    private void checkOperand(ListItem key, ChunkRef ref, OperandRole role, Operation.Data data, FaultSite site) {
        boolean fits = switch (ref) {
            case ChunkRef.Local _ -> role.local();
            case ChunkRef.Remote _ -> role.peer();
            case ChunkRef.Multicast _ -> !role.local() && !role.peer();
        };
        if (!fits) {
            throw site.fault(key, describe(ref), describe(role));
        }
        BufferType buffer = switch (ref) {
            case ChunkRef.Local local -> local.buffer();
            case ChunkRef.Remote remote -> remoteBuffer(key, remote, data, site).buffer();
            case ChunkRef.Multicast multicast -> group(key, multicast, site).buffer();
        };
        if (role.packets() && buffer != BufferType.SCRATCH) {
            throw site.fault(key, "in buffer " + buffer.letter(), "s, since packets live in scratch");
        }
        if (!role.packets() && buffer == BufferType.SCRATCH && plan.usesPackets()) {
            throw site.fault(
                    key,
                    "plain data in scratch",
                    "i or o, since the scratch of an "
                            + plan.protocol().label()
                            + " plan holds packets, which an executor would take for plain data");
        }
        switch (ref) {
            case ChunkRef.Local _ -> checkRange(key, ref, rank, buffer, site);
            case ChunkRef.Remote remote ->
                checkRange(
                        key,
                        ref,
                        plan.ranks().get(remoteBuffer(key, remote, data, site).rank()),
                        buffer,
                        site);
            case ChunkRef.Multicast multicast -> {
                for (int member : group(key, multicast, site).ranks()) {
                    checkRange(key, ref, plan.ranks().get(member), buffer, site);
                }
            }
        }
    }

    private static String describe(ChunkRef ref) {
        return switch (ref) {
            case ChunkRef.Local _ -> describe(OperandRole.PLAIN);
            case ChunkRef.Remote _ -> describe(OperandRole.PEER_PLAIN);
            case ChunkRef.Multicast _ -> describe(OperandRole.GROUP_PLAIN);
        };
    }

    private static String describe(OperandRole role) {
        return switch (role) {
            case PLAIN, PACKETS -> "a local operand (type)";
            case PEER_PLAIN, PEER_PACKETS -> "a remote operand (buffer_id)";
            case GROUP_PLAIN, GROUP_PACKETS -> "a multicast operand (switch_channel_id)";
        };
    }

    private RemoteBuffer remoteBuffer(ListItem key, ChunkRef.Remote ref, Operation.Data data, FaultSite site) {
        ChannelType type = data.channelType().orElseThrow();
        List<Integer> ids = block.remoteBuffers(type);
        site.requireIndex(key.field("buffer_id"), ref.bufferId(), ids.size(), type, "remote buffers of the block");
        return rank.remoteBuffers().get(ids.get(ref.bufferId()));
    }

    private SwitchGroup group(ListItem key, ChunkRef.Multicast ref, FaultSite site) {
        List<Integer> ids = block.switchChannels();
        site.requireIndex(
                key.field("switch_channel_id"), ref.switchChannelId(), ids.size(), "switch channels of the block");
        SwitchGroup group = rank.switchGroups().get(ids.get(ref.switchChannelId()));
        if (!group.ranks().contains(rank.rank())) {
            throw site.fault(
                    key.field("switch_channel_id"),
                    ref.switchChannelId() + ", a group of ranks " + group.ranks(),
                    "groups that contain rank " + rank.rank());
        }
        return group;
    }

    private static void checkRange(ListItem key, ChunkRef ref, RankPlan owner, BufferType buffer, FaultSite site) {
        int chunks = owner.chunks(buffer);
        if (ref.index() < 0 || ref.size() < 0 || (long) ref.index() + ref.size() > chunks) {
            throw site.fault(
                    key,
                    "chunks " + ref.index() + " to " + ((long) ref.index() + ref.size()) + " (exclusive)",
                    "within 0 to " + chunks + ", the chunks of buffer " + buffer.letter() + " of rank " + owner.rank());
        }
    }

    private static void checkSizes(Operation.Data data, FaultSite site) {
        List<ChunkRef> sources = data.sources();
        List<ChunkRef> destinations = data.destinations();
        if (pairwise(data.kind())) {
            if (sources.size() != destinations.size()) {
                throw site.fault(
                        "number of operands in dst_buff", destinations.size(), sources.size() + ", as in src_buff");
            }
            for (int i = 0; i < sources.size(); i++) {
                requireSize(
                        new ListItem("dst_buff", i, ".size"),
                        destinations.get(i),
                        sources.get(i).size(),
                        new ListItem("src_buff", i),
                        site);
            }
            return;
        }
        ListItem first = new ListItem("src_buff", 0);
        int size = sources.getFirst().size();
        for (int i = 1; i < sources.size(); i++) {
            requireSize(new ListItem("src_buff", i, ".size"), sources.get(i), size, first, site);
        }
        for (int i = 0; i < destinations.size(); i++) {
            requireSize(new ListItem("dst_buff", i, ".size"), destinations.get(i), size, first, site);
        }
    }

    private static void requireSize(ListItem key, ChunkRef ref, int size, ListItem like, FaultSite site) {
        if (ref.size() != size) {
            throw site.fault(key, ref.size(), size + ", as in " + like);
        }
    }

    private void checkChannels(Operation.Data data, FaultSite site) {
        List<Integer> ids = data.channelIds();
        ChannelType type = data.channelType().orElse(null);
        if (type == null) {
            if (!ids.isEmpty()) {
                throw site.fault("channel_ids", ids, "none without a channel_type");
            }
            return;
        }
        for (int i = 0; i < ids.size(); i++) {
            site.requireIndex(
                    new ListItem("channel_ids", i),
                    ids.get(i),
                    block.channels(type).size(),
                    type,
                    "channels of the block");
        }
        if (type != PORT) {
            return;
        }
        int destinations = data.destinations().size();
        if (ids.size() != 1 && ids.size() != destinations) {
            throw site.fault(
                    "number of channel_ids",
                    ids.size(),
                    destinations == 1 ? "1" : "1, or one for each of the " + destinations + " destinations");
        }
        for (int i = 0; i < destinations; i++) {
            int position = ids.size() == 1 ? 0 : i;
            int peer = rank.portChannelPeers().get(block.portChannels().get(ids.get(position)));
            int owner = remoteBuffer(
                            new ListItem("dst_buff", i),
                            (ChunkRef.Remote) data.destinations().get(i),
                            data,
                            site)
                    .rank();
            if (peer != owner) {
                throw site.fault(
                        new ListItem("channel_ids", position),
                        ids.get(position) + ", a channel to rank " + peer,
                        "a channel to rank " + owner + ", which owns dst_buff[" + i + "]");
            }
        }
    }

    private static Set<ChannelType> channelTypes(DataKind kind) {
        return switch (kind) {
            case PUT, PUT_PACKETS, READ_PUT_PACKETS -> EnumSet.of(MEMORY, PORT);
            case PUT_WITH_SIGNAL, PUT_WITH_SIGNAL_AND_FLUSH -> EnumSet.of(PORT);
            case GET, REDUCE_SEND, READ_REDUCE, READ_REDUCE_SEND, REDUCE_SEND_PACKETS, REDUCE_COPY_SEND_PACKETS ->
                EnumSet.of(MEMORY);
            case SWITCH_STORE, SWITCH_STORE_PACKETS, SWITCH_REDUCE_STORE -> EnumSet.of(SWITCH);
            case COPY, REDUCE, COPY_PACKETS, UNPACK_PACKETS, REDUCE_PACKETS, REDUCE_COPY_PACKETS ->
                EnumSet.noneOf(ChannelType.class);
        };
    }

    /** Whether source and destination {@code k} belong together, for all {@code k}. */
    private static boolean pairwise(DataKind kind) {
        return switch (kind) {
            case PUT, PUT_WITH_SIGNAL, PUT_WITH_SIGNAL_AND_FLUSH, GET, PUT_PACKETS -> true;
            default -> false;
        };
    }
}
