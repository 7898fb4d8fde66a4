package org.mscclj.transport.nvls;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.spi.Availability;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.DeviceMulticast;
import org.mscclj.spi.device.MemoryNeeds;
import org.mscclj.spi.device.MulticastObject;
import org.mscclj.spi.multicast.MulticastGroup;
import org.mscclj.spi.multicast.MulticastProvider;

/**
 * Describes the multicast {@code nvls}: NVLink SHARP. It asks no device for multicast unless {@link NvlsSwitch} finds
 * it turned on.
 */
public final class NvlsProvider implements MulticastProvider {
    /** The most time that a call of the driver takes before a rank does without multicast. */
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final Supplier<Optional<String>> off;
    private final Duration most;
    private final TimedSteps steps;

    /** Called by the service loader. */
    public NvlsProvider() {
        this(
                () -> NvlsSwitch.off(System.getenv(), Optional.ofNullable(System.getProperty(NvlsSwitch.PROPERTY))),
                LIMIT);
    }

    /**
     * Creates a provider, for tests too.
     *
     * @param off returns why multicast is off; empty if it is on
     * @param most the most time of a step, whatever the ranks would wait
     */
    NvlsProvider(Supplier<Optional<String>> off, Duration most) {
        this.off = off;
        this.most = most;
        this.steps = new TimedSteps(most);
    }

    @Override
    public String name() {
        return "nvls";
    }

    @Override
    public int priority() {
        return 0;
    }

    @Override
    public String description() {
        return "NVLink multicast (NVLink SHARP) for switch channels, between GPUs that are joined by NVSwitches";
    }

    /** Whether multicast is turned on. Asks no driver. */
    @Override
    public Availability probe() {
        return off.get().map(Availability::unavailable).orElseGet(Availability::available);
    }

    @Override
    public void requireValid(Map<String, String> environment) {
        Optional<String> _ = NvlsSwitch.off(environment, Optional.empty());
    }

    @Override
    public Optional<String> obstacle(BackendDevice device) {
        Optional<String> reason = off.get();
        if (reason.isPresent()) {
            return reason;
        }
        Optional<DeviceMulticast> multicast = device.multicast();
        return multicast.isEmpty()
                ? Optional.of("devices of backend " + device.backend() + " have no multicast")
                : steps.call("asking the GPU for multicast", multicast.get()::obstacle, _ -> {});
    }

    @Override
    public MemoryNeeds memoryNeeds(BackendDevice device) {
        DeviceMulticast multicast = of(device);
        long granularity = steps.call("reading the granularity of multicast", multicast::granularity, _ -> {});
        return new MemoryNeeds(granularity, "");
    }

    @Override
    public long lead(BackendDevice device, DeviceBuffer buffer) {
        DeviceMulticast multicast = of(device);
        return steps.call("finding memory to bind", () -> multicast.lead(buffer), _ -> {});
    }

    @Override
    public MulticastGroup create(BackendDevice device, int members, long bytes, Duration limit) {
        DeviceMulticast multicast = of(device);
        return group("creating a multicast object", limit, () -> multicast.create(members, bytes));
    }

    @Override
    public MulticastGroup open(BackendDevice device, byte[] descriptor, Duration limit) {
        DeviceMulticast multicast = of(device);
        return group("opening a multicast object", limit, () -> multicast.open(descriptor));
    }

    private NvlsGroup group(String what, Duration limit, Supplier<MulticastObject> making) {
        TimedSteps limited = limit.compareTo(most) < 0 ? new TimedSteps(limit) : steps;
        return new NvlsGroup(limited.call(what, making, late -> late.ifPresent(MulticastObject::close)), limited);
    }

    /** The multicast of a device. Checks once more that it is on: nothing of it may be used otherwise. */
    private DeviceMulticast of(BackendDevice device) {
        off.get().ifPresent(reason -> {
            throw new UnsupportedException("multicast cannot be used: " + reason);
        });
        return device.multicast()
                .orElseThrow(() ->
                        new UnsupportedException("devices of backend " + device.backend() + " have no multicast"));
    }
}
