package org.mscclj.runtime.transport;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.mscclj.runtime.provider.ProviderCatalog;
import org.mscclj.runtime.proxy.ProxyAgent;
import org.mscclj.runtime.proxy.ProxyAgentSpec;
import org.mscclj.runtime.proxy.ProxyService;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.proxy.TriggerFifo;
import org.mscclj.spi.transport.TransportProvider;

/**
 * What one rank of a communicator has for port channels, hand-made ones and those of plans: its transports and its proxy agent. Both are
 * opened when first used, since most communicators need neither.
 */
public final class RankLinks implements AutoCloseable {
    private final String name;
    private final BackendDevice device;
    private final Duration timeout;
    private final AbortFlag abort;
    private final Consumer<String> onFault;
    private @Nullable RankTransports transports;
    private @Nullable ProxyAgent proxy;

    /**
     * Links of a rank.
     *
     * @param name whose they are, for messages, for example "rank 3 of local"
     * @param onFault aborts the communicator; see {@link ProxyAgentSpec}
     */
    public RankLinks(String name, BackendDevice device, Duration timeout, AbortFlag abort, Consumer<String> onFault) {
        this.name = name;
        this.device = device;
        this.timeout = timeout;
        this.abort = abort;
        this.onFault = onFault;
    }

    /** The rank's transports. */
    public synchronized RankTransports transports() {
        RankTransports open = transports;
        if (open == null) {
            open = new RankTransports(
                    ProviderCatalog.installed("transport", TransportProvider.class)
                            .available(),
                    device);
            transports = open;
        }
        return open;
    }

    /** The rank's proxy agent, run by the process's proxy service. */
    public synchronized ProxyAgent proxy() {
        ProxyAgent open = proxy;
        if (open == null) {
            open = ProxyService.shared()
                    .open(new ProxyAgentSpec(name, device, TriggerFifo.DEFAULT_CAPACITY, timeout, abort, onFault));
            proxy = open;
        }
        return open;
    }

    /** Whether anything was opened. */
    public synchronized boolean areUsed() {
        return transports != null || proxy != null;
    }

    /**
     * Carries out what was pushed, and stops: this rank's proxy accesses no memory any more. To be called on all ranks before
     * memory is freed on any. Idempotent.
     */
    public synchronized void stop() {
        if (proxy != null) {
            proxy.close();
        }
    }

    /** Stops, and closes the transports. Idempotent. */
    @Override
    public synchronized void close() {
        stop();
        if (transports != null) {
            transports.close();
        }
    }
}
