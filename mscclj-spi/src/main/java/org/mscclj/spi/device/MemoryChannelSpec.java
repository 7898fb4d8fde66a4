package org.mscclj.spi.device;

import java.util.Optional;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.spi.engine.AbortFlag;

/**
 * The parts of a memory channel that the application sets up.
 *
 * @param peer the peer's rank, for messages
 * @param target the peer's memory, mapped
 * @param origin this rank's memory
 * @param packets this rank's memory into which the peer puts packets; empty if there is none
 * @param counter this rank's inbound counter: 8 bytes, which the peer raises
 * @param peerCounter the peer's inbound counter, mapped
 * @param abort the communicator's abort word, which ends waits with its exception
 * @param peerEnd ends waits of kernels for the peer: it follows {@code abort}, and is also set when the peer sends
 *     nothing more because it has closed its communicator. All earlier signals of the peer have arrived by then: a wait
 *     that sees this flag set checks for a signal once more
 */
public record MemoryChannelSpec(
        int peer,
        MappedMemory target,
        DeviceBuffer origin,
        Optional<DeviceBuffer> packets,
        DeviceBuffer counter,
        MappedMemory peerCounter,
        AbortFlag abort,
        AbortFlag peerEnd) {}
