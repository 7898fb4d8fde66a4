package org.mscclj.runtime.execution.binding;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.Plan;
import org.mscclj.plan.SwitchGroup;
import org.mscclj.runtime.control.Exchange;
import org.mscclj.runtime.control.Message;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.control.TopicKind;
import org.mscclj.runtime.execution.context.BufferParts;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.multicast.MulticastSetUp;

/**
 * The multicast groups of shared inputs and outputs, on one rank. The ranks set them up together, in two exchanges
 * more; in none if one of them cannot use multicast, or if the plan has no switch channels of these buffers.
 */
public final class BufferMulticast implements AutoCloseable {
    private final Plan plan;
    private final ExecutionEnvironment environment;
    private final MulticastSetUp setUp;

    /**
     * Creates the part of a rank. Calls no provider.
     *
     * @param buffers the buffers that have groups: inputs, outputs, or none
     */
    public BufferMulticast(Plan plan, Set<BufferType> buffers, ExecutionEnvironment environment) {
        this.plan = plan;
        this.environment = environment;
        this.setUp = new MulticastSetUp(
                plan,
                environment.control().rank(),
                buffers,
                environment.device(),
                environment.timeout(),
                environment.links()::multicast);
    }

    private static DeviceBuffer of(SharedBuffers.Pair pair, BufferType type) {
        return type == BufferType.INPUT ? pair.input() : pair.output();
    }

    /** Returns this rank's part of the first exchange. The sizes are equal on all ranks. */
    public byte[] describe(SharedBuffers.Pair own) {
        setUp.memoryNeeds(); // the memory was allocated before: if it lacks something, it cannot be bound
        return setUp.describe(type -> of(own, type).byteSize(), type -> of(own, type));
    }

    /** Sets the groups up. Collective. */
    public void connect(SharedBuffers.Pair own, List<Message> described) {
        setUp.agreeOnGroups(described);
        if (setUp.isGoingOn()) {
            setUp.agree(Exchange.gather(
                    environment.control(), Topic.of(TopicKind.MULTICAST_BUFFERS, plan.label()), setUp::join));
        }
        if (setUp.isGoingOn()) {
            setUp.agree(Exchange.gather(
                    environment.control(),
                    Topic.of(TopicKind.MULTICAST_MEMORY, plan.label()),
                    () -> setUp.bind(type -> of(own, type))));
        }
    }

    /**
     * Returns the address of each switch channel of this rank, for whole buffers.
     *
     * @param scratch addresses of channels of scratch
     */
    public List<OptionalLong> addresses(List<OptionalLong> scratch) {
        List<SwitchGroup> channels =
                plan.ranks().get(environment.control().rank()).switchGroups();
        return at(channels, BufferParts.WHOLE, addresses(), scratch);
    }

    /** Returns the address of the whole buffer of each switch channel of this rank; empty where there is none. */
    List<OptionalLong> addresses() {
        return setUp.addresses();
    }

    /**
     * Returns the address of each switch channel for parts of the shared buffers.
     *
     * @param whole addresses of the whole buffers
     * @param scratch addresses of channels of scratch
     */
    static List<OptionalLong> at(
            List<SwitchGroup> channels, BufferParts parts, List<OptionalLong> whole, List<OptionalLong> scratch) {
        List<OptionalLong> addresses = new ArrayList<>(channels.size());
        for (int channel = 0; channel < channels.size(); channel++) {
            addresses.add(
                    switch (channels.get(channel).buffer()) {
                        case SCRATCH -> scratch.get(channel);
                        case INPUT -> moved(whole.get(channel), parts.input(), parts.inputStep());
                        case OUTPUT -> moved(whole.get(channel), parts.output(), parts.outputStep());
                    });
        }
        return addresses;
    }

    /** A group has one position for all ranks: there is no address where the parts of ranks begin at different ones. */
    private static OptionalLong moved(OptionalLong whole, long offset, long step) {
        return whole.isPresent() && step == 0 ? OptionalLong.of(whole.getAsLong() + offset) : OptionalLong.empty();
    }

    @Override
    public void close() {
        setUp.close();
    }
}
