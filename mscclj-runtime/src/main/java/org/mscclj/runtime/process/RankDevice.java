package org.mscclj.runtime.process;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.runtime.provider.ChosenDevice;
import org.mscclj.runtime.provider.ProviderCode;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.BackendOptions;
import org.mscclj.spi.device.BackendProvider;

/**
 * A share of a rank's backend and device. Successive memberships have one share each, so that memory lives on; the last
 * share to be closed ends backend and device.
 */
final class RankDevice implements AutoCloseable {
    private final Backend backend;
    private final BackendDevice device;
    private final AtomicInteger shares;
    private final AtomicBoolean closed = new AtomicBoolean();

    private RankDevice(Backend backend, BackendDevice device, AtomicInteger shares) {
        this.backend = backend;
        this.device = device;
        this.shares = shares;
        shares.incrementAndGet();
    }

    /** Opens backend and device, for the device or the position that the options name. */
    static RankDevice open(BackendProvider provider, CommunicatorOptions options) {
        Backend backend = ProviderCode.open(provider, () -> provider.open(BackendOptions.separateProcesses()));
        try {
            if (options.device().isPresent()) {
                ChosenDevice.require(backend, options.device().getAsInt(), options.rank());
            }
            int number = options.device().orElse(options.position().localRank());
            if (options.device().isEmpty()) {
                ChosenDevice.requireOwn(
                        provider,
                        backend,
                        IntStream.rangeClosed(0, number).boxed().toList());
            }
            BackendDevice device = ProviderCode.open(provider, () -> backend.openDevice(number));
            return new RankDevice(backend, device, new AtomicInteger());
        } catch (RuntimeException | Error e) {
            Resources.closeSuppressing(List.of(backend), e);
            throw e;
        }
    }

    /** Returns another share. This share must be open. */
    RankDevice share() {
        return new RankDevice(backend, device, shares);
    }

    BackendDevice device() {
        return device;
    }

    /** Releases this share. Idempotent. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true) && shares.decrementAndGet() == 0) {
            Resources.close(List.of(backend, device));
        }
    }
}
