package org.mscclj.runtime.execution.lane;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Plan;
import org.mscclj.runtime.execution.context.PlanContext;
import org.mscclj.runtime.execution.context.PortMemory;
import org.mscclj.runtime.execution.context.PortWiring;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.execution.plan.SharedPlans;
import org.mscclj.runtime.proxy.RequestSource;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.engine.ContextLayout;
import org.mscclj.spi.engine.PortBinding;
import org.mscclj.spi.proxy.Trigger;
import org.mscclj.spi.transfer.TransferLanes;
import org.mscclj.spi.transfer.WindowLanes;

/**
 * Answers the gets of ranks on other nodes from this rank's memory, as {@link WindowLanes} specifies: each request
 * becomes a trigger that writes to the getter's slot and signals the getter.
 *
 * <p>Happens-before: the getter stores a request before its signal is counted, and this rank acquires the count before
 * it reads the request. What this rank wrote to its memory before a signal that the getter has taken happens before the
 * getter's request, and so before the write, which reads that memory.
 */
final class GetAnswers implements RequestSource {
    private final BackendDevice device;
    private final DeviceBuffer scratch;
    private final DeviceBuffer counters;
    private final Getter[] getters;
    private final int slots;

    /** A rank on another node. */
    private static final class Getter {
        private final PortBinding port;
        private final long counter;
        private final long requests;
        private final long payloads;
        private final long slotBytes;
        private final int memoryId;
        private long answered;

        /**
         * Creates a getter.
         *
         * @param counter offset of the count of its requests, in this rank's counters
         * @param requests offset of its first request, in this rank's scratch
         * @param payloads offset of the payload of its first slot, in the getter's scratch
         */
        Getter(PortBinding port, long counter, long requests, long payloads, long slotBytes, int memoryId) {
            this.port = port;
            this.counter = counter;
            this.requests = requests;
            this.payloads = payloads;
            this.slotBytes = slotBytes;
            this.memoryId = memoryId;
        }
    }

    private GetAnswers(
            BackendDevice device, DeviceBuffer scratch, DeviceBuffer counters, List<Getter> getters, int slots) {
        this.device = device;
        this.scratch = scratch;
        this.counters = counters;
        this.getters = getters.toArray(Getter[]::new);
        this.slots = slots;
    }

    /** Returns the answers for a window of these lanes. */
    static GetAnswers of(
            ExecutionEnvironment environment, TransferLanes lanes, Plan plan, PlanContext context, PortMemory memory) {
        int rank = environment.control().rank();
        ContextLayout layout = ContextLayout.of(
                plan, SharedPlans.memoryPairing(plan), SharedPlans.portPairing(plan), rank, lanes.slotBytes());
        List<Getter> getters = new ArrayList<>();
        for (int peer = 0; peer < environment.control().size(); peer++) {
            if (!lanes.isMapped(rank, peer)) {
                int channel = lanes.channel(rank, peer, WindowLanes.GETS, true);
                PortWiring.Answers answers = context.ports().answers(channel, memory);
                getters.add(new Getter(
                        answers.port(),
                        layout.counterOffset(ChannelType.PORT, channel),
                        lanes.outboxSlot(rank, peer, WindowLanes.GETS) * lanes.slotBytes(),
                        lanes.inboxSlot(peer, rank, WindowLanes.GETS) * lanes.slotBytes() + TransferLanes.HEADER_BYTES,
                        lanes.slotBytes(),
                        answers.memoryId()));
            }
        }
        return new GetAnswers(environment.device(), context.scratch(), context.counters(), getters, lanes.slots());
    }

    @Override
    public boolean pushAnswers() {
        boolean all = true;
        for (Getter getter : getters) {
            all &= answer(getter);
        }
        return all;
    }

    private boolean answer(Getter getter) {
        long asked = device.readCounter(counters, getter.counter);
        while (getter.answered < asked) {
            long slot = getter.answered % slots * getter.slotBytes;
            long from = device.readCounter(scratch, getter.requests + slot + WindowLanes.REQUEST_OFFSET);
            long bytes = device.readCounter(scratch, getter.requests + slot + WindowLanes.REQUEST_SIZE);
            long position = getter.port
                    .fifo()
                    .tryPush(
                            Trigger.word0(bytes, Trigger.windowOffset(from)),
                            Trigger.word1(
                                    getter.payloads + slot,
                                    getter.memoryId + Trigger.windowIndex(from),
                                    getter.port.peerScratchId(),
                                    Trigger.DATA | Trigger.SIGNAL,
                                    getter.port.semaphoreId()));
            if (position < 0) {
                return false;
            }
            getter.answered++;
        }
        return true;
    }
}
