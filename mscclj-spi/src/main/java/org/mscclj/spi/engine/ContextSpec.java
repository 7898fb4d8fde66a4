package org.mscclj.spi.engine;

import java.util.List;
import java.util.Map;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.plan.Plan;
import org.mscclj.plan.pairing.ChannelPairing;

/**
 * The data that an engine needs to run a plan on one rank, independently of the buffers.
 *
 * @param plan a valid plan
 * @param memoryPairing the pairing of the plan's memory channels
 * @param portPairing the pairing of the plan's port channels
 * @param rank this rank
 * @param slotBytes payload bytes of a scratch slot, equal on all ranks
 * @param firstFlag the packet flag of the first launch, not 0; 1 except in tests of the wrap
 * @param scratch this rank's scratch, zeroed, laid out by {@link ContextLayout}
 * @param counters this rank's counters, zeroed, laid out by {@link ContextLayout}
 * @param peers the mapped scratch and counters of every rank, this one included, by rank
 * @param ports this rank's port channels, by channel id
 * @param arrivals for each rank that port channels lead to and whose counters are not mapped, by rank: the semaphore
 *     that raises its count of arrivals, {@link ContextLayout#ARRIVALS_BY_PORT}
 * @param order the order of launches that this context shares with the communicator's other contexts
 * @param abort the communicator's abort word
 */
public record ContextSpec(
        Plan plan,
        ChannelPairing memoryPairing,
        ChannelPairing portPairing,
        int rank,
        long slotBytes,
        int firstFlag,
        DeviceBuffer scratch,
        DeviceBuffer counters,
        List<PeerContext> peers,
        List<PortBinding> ports,
        Map<Integer, PortBinding> arrivals,
        LaunchOrder order,
        AbortFlag abort) {
    /** Copies the collections. */
    public ContextSpec {
        peers = List.copyOf(peers);
        ports = List.copyOf(ports);
        arrivals = Map.copyOf(arrivals);
    }
}
