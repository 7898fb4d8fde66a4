package org.mscclj.plan;

import java.util.List;

/**
 * The operations of one thread block, in program order, and the channels and remote buffers that it uses. The lists
 * hold ids of the rank's channels (counted for each type) and remote buffers; operations index these lists.
 *
 * @param id position in the rank's list of blocks
 * @param operations in program order
 * @param memoryChannels ids of memory channels
 * @param portChannels ids of port channels
 * @param switchChannels ids of switch channels
 * @param memoryBuffers ids of remote buffers accessed through memory channels
 * @param portBuffers ids of remote buffers accessed through port channels
 */
public record ThreadBlock(
        int id,
        List<Operation> operations,
        List<Integer> memoryChannels,
        List<Integer> portChannels,
        List<Integer> switchChannels,
        List<Integer> memoryBuffers,
        List<Integer> portBuffers) {
    /** Copies the lists. */
    public ThreadBlock {
        operations = List.copyOf(operations);
        memoryChannels = List.copyOf(memoryChannels);
        portChannels = List.copyOf(portChannels);
        switchChannels = List.copyOf(switchChannels);
        memoryBuffers = List.copyOf(memoryBuffers);
        portBuffers = List.copyOf(portBuffers);
    }

    /** This block with other operations. */
    public ThreadBlock withOperations(List<Operation> others) {
        return new ThreadBlock(id, others, memoryChannels, portChannels, switchChannels, memoryBuffers, portBuffers);
    }

    /** The rank-level channel ids of the given type. */
    public List<Integer> channels(ChannelType type) {
        return switch (type) {
            case MEMORY -> memoryChannels;
            case PORT -> portChannels;
            case SWITCH -> switchChannels;
        };
    }

    /** The rank-level remote buffer ids accessed through channels of the given type; none for switch channels. */
    public List<Integer> remoteBuffers(ChannelType type) {
        return switch (type) {
            case MEMORY -> memoryBuffers;
            case PORT -> portBuffers;
            case SWITCH -> List.of();
        };
    }
}
