package org.mscclj.runtime.port;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.runtime.proxy.ProxyAgent;
import org.mscclj.runtime.proxy.ProxyAgentSpec;
import org.mscclj.runtime.proxy.ProxyService;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.runtime.transport.RankTransports;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.proxy.TriggerFifo;
import org.mscclj.spi.transport.TransportProvider;

/**
 * What port channels of one communicator need on one rank: transports and a proxy of its own. Most communicators never use port
 * channels, so nothing is opened before the first call. Safe for several threads.
 */
public final class RankPorts implements AutoCloseable {
    private final String owner;
    private final BackendDevice device;
    private final List<TransportProvider> providers;
    private final Duration timeout;
    private final AbortFlag abort;
    private final Consumer<String> onFault;
    private @Nullable RankTransports transports;
    private @Nullable ProxyAgent proxy;
    private boolean closed;

    /**
     * Ports that are not open.
     *
     * @param owner whose they are, for messages, for example "rank 3 of local"
     * @param providers transports that can be used here, best first
     * @param timeout how long closing waits for what is in flight
     * @param onFault aborts the communicator
     */
    public RankPorts(
            String owner,
            BackendDevice device,
            List<TransportProvider> providers,
            Duration timeout,
            AbortFlag abort,
            Consumer<String> onFault) {
        this.owner = owner;
        this.device = device;
        this.providers = List.copyOf(providers);
        this.timeout = timeout;
        this.abort = abort;
        this.onFault = onFault;
    }

    /** The rank's transports. */
    public synchronized RankTransports transports() {
        requireOpen();
        RankTransports opened = transports;
        if (opened == null) {
            opened = new RankTransports(providers, device);
            transports = opened;
        }
        return opened;
    }

    /** The rank's proxy. */
    public synchronized ProxyAgent proxy() {
        requireOpen();
        ProxyAgent opened = proxy;
        if (opened == null) {
            opened = ProxyService.shared()
                    .open(new ProxyAgentSpec(owner, device, TriggerFifo.DEFAULT_CAPACITY, timeout, abort, onFault));
            proxy = opened;
        }
        return opened;
    }

    private void requireOpen() {
        if (closed) {
            throw new InvalidArgumentException(owner + " is closed; open another communicator");
        }
    }

    /** Closes what was opened: the proxy, then the transports. Idempotent. */
    @Override
    public synchronized void close() {
        closed = true;
        List<AutoCloseable> opened = new ArrayList<>();
        if (transports != null) {
            opened.add(transports);
        }
        if (proxy != null) {
            opened.add(proxy);
        }
        transports = null;
        proxy = null;
        Resources.close(opened);
    }
}
