package org.mscclj.device.kernels.plan;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.PacketType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Plan;
import org.mscclj.plan.layout.LaunchGeometry;
import org.mscclj.plan.pairing.ChannelPairing;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.engine.ContextSpec;
import org.mscclj.spi.engine.LaunchOrder;
import org.mscclj.spi.engine.LaunchSpec;
import org.mscclj.spi.engine.PeerBuffers;
import org.mscclj.spi.engine.PeerContext;

/** A launch of one rank, whose buffers are at the same offset from multiples of 2^44. */
record FusedLaunch(PlanCode code, ContextSpec context, LaunchSpec launch) {
    /** Bytes between buffers, more than any buffer of a test has. */
    private static final long APART = 1L << 44;

    /** A launch of a plan. */
    static FusedLaunch of(Plan plan, int rank, long sliceBytes, long slotBytes, long misalignment) {
        return of(PlanCode.of(plan), plan, rank, sliceBytes, slotBytes, misalignment);
    }

    /** A launch of a plan whose code is given, which is equal on all ranks. */
    static FusedLaunch of(PlanCode code, Plan plan, int rank, long sliceBytes, long slotBytes, long misalignment) {
        List<PeerBuffers> buffers = new ArrayList<>();
        List<PeerContext> peers = new ArrayList<>();
        for (int peer = 0; peer < plan.worldSize(); peer++) {
            long input = (1 + 3L * peer) * APART + misalignment;
            long output = plan.inPlace() ? input : input + APART;
            buffers.add(new PeerBuffers(OptionalLong.of(input), OptionalLong.of(output)));
            peers.add(new PeerContext(OptionalLong.of(scratch(peer)), OptionalLong.of(scratch(peer) + APART / 2)));
        }
        ContextSpec context = new ContextSpec(
                plan,
                ChannelPairing.of(plan, ChannelType.MEMORY),
                ChannelPairing.of(plan, ChannelType.PORT),
                rank,
                slotBytes,
                1,
                at(scratch(rank)),
                at(1),
                peers,
                List.of(),
                Map.of(),
                new LaunchOrder(),
                new AbortFlag());
        LaunchSpec launch = new LaunchSpec(
                at(buffers.get(rank).input().orElseThrow()),
                at(buffers.get(rank).output().orElseThrow()),
                DataType.UINT8,
                ReduceOp.SUM,
                Optional.empty(),
                PacketType.LL16,
                LaunchGeometry.of(plan, sliceBytes, slotBytes),
                buffers,
                List.of(),
                List.of());
        return new FusedLaunch(code, context, launch);
    }

    /** The same launch with other buffers of this rank, which lie some bytes behind these. */
    FusedLaunch behind(long inputBy, long outputBy) {
        List<PeerBuffers> buffers = new ArrayList<>(launch.buffers());
        PeerBuffers own = buffers.get(context.rank()).at(inputBy, outputBy);
        buffers.set(context.rank(), own);
        LaunchSpec moved = new LaunchSpec(
                at(own.input().orElseThrow()),
                at(own.output().orElseThrow()),
                launch.type(),
                launch.op(),
                launch.scaling(),
                launch.packetType(),
                launch.geometry(),
                buffers,
                launch.ports(),
                launch.multicasts());
        return new FusedLaunch(code, context, moved);
    }

    /** The address of a rank's scratch. */
    static long scratch(int rank) {
        return (3 + 3L * rank) * APART;
    }

    /** Device memory with an address, without content. */
    private static DeviceBuffer at(long address) {
        return (DeviceBuffer) Proxy.newProxyInstance(
                DeviceBuffer.class.getClassLoader(), new Class<?>[] {DeviceBuffer.class}, (_, method, _) -> {
                    if (method.getName().equals("address")) {
                        return address;
                    }
                    if (method.getName().equals("byteSize")) {
                        return APART / 2;
                    }
                    throw new UnsupportedOperationException(method.getName());
                });
    }

    FusedCode fused() {
        return code.fused().orElseThrow();
    }

    /** The table of a round, in lines where that is possible. */
    Optional<FusedTable> table(long round) {
        return table(round, true, true);
    }

    Optional<FusedTable> table(long round, boolean mayBeLines, boolean mayBePackets) {
        return FusedTable.of(fused(), context, launch, launch.geometry().round(round), mayBeLines, mayBePackets);
    }
}
