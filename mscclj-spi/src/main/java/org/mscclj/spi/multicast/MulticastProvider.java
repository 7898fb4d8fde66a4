package org.mscclj.spi.multicast;

import java.time.Duration;
import java.util.Optional;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.spi.Provider;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.MemoryNeeds;

/**
 * Describes a source of multicast memory. Found by service loader; the runtime uses the best provider that can be used
 * here and has no {@linkplain #obstacle obstacle} for the device.
 *
 * <p>The ranks of a team set a group up in steps. All of them finish a step before one of them begins the next one.
 *
 * <ol>
 *   <li>The first rank of the team {@linkplain #create creates} the group. The others get its descriptor.
 *   <li>The others {@linkplain #open open} the group, and all {@linkplain MulticastGroup#join join} it.
 *   <li>All {@linkplain MulticastGroup#bind bind} their memory.
 * </ol>
 *
 * <p>If a step throws on one rank, all ranks close their groups, and the engines emulate multicast over mapped memory.
 * Each step must end within the limit that the runtime gives, also if another rank has ended.
 */
public interface MulticastProvider extends Provider {
    /** Returns why a device cannot be a member of a group; empty if it can. */
    Optional<String> obstacle(BackendDevice device);

    /** Returns what memory needs at its allocation, so that a device can bind it. */
    MemoryNeeds memoryNeeds(BackendDevice device);

    /**
     * Returns how many bytes before a buffer its memory begins that is bound with it: only whole units of the
     * granularity are bound. 0 for memory of {@link BackendDevice#allocate(long, MemoryNeeds)}.
     */
    default long lead(BackendDevice device, DeviceBuffer buffer) {
        return 0;
    }

    /**
     * Creates a group. The creator is a member, and joins like the others.
     *
     * @param members number of ranks that join; each has a device
     * @param bytes bytes that each member can bind; a multiple of the granularity of {@link #memoryNeeds}
     * @param limit the most time of this step, and of each step of the group: less than the other ranks wait
     */
    MulticastGroup create(BackendDevice device, int members, long bytes, Duration limit);

    /**
     * Opens a group that another rank has created.
     *
     * @param descriptor the creator's {@link MulticastGroup#descriptor}
     * @param limit as for {@link #create}
     */
    MulticastGroup open(BackendDevice device, byte[] descriptor, Duration limit);
}
