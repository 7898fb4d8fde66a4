package org.mscclj.runtime.transport;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.runtime.control.CallScope;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.multicast.MulticastSetUp;
import org.mscclj.runtime.provider.ProviderCatalog;
import org.mscclj.runtime.proxy.FaultHandler;
import org.mscclj.runtime.proxy.ProxyAgent;
import org.mscclj.runtime.proxy.ProxyAgentSpec;
import org.mscclj.runtime.proxy.ProxyService;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.runtime.time.Deadline;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.HardwareKind;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.multicast.MulticastProvider;
import org.mscclj.spi.proxy.TriggerFifo;
import org.mscclj.spi.transport.ConnectionListener;
import org.mscclj.spi.transport.TransportConnection;
import org.mscclj.spi.transport.TransportEndpoint;
import org.mscclj.spi.transport.TransportProvider;

/**
 * Transports and proxy agents of one rank of a communicator, for port channels created by hand and for port channels of
 * plans. All are opened at their first use, since most communicators need none.
 */
public final class RankLinks implements AutoCloseable {
    private final String name;
    private final BackendDevice device;
    private final Duration timeout;
    private final AbortFlag abort;
    private final FaultHandler onFault;
    private final Supplier<List<MulticastProvider>> multicasts;
    private @Nullable RankTransports transports;
    private final Set<ProxyAgent> proxies = new HashSet<>();
    private @Nullable ProxyAgent proxy;
    private @Nullable ProxyAgent deviceProxy;

    /**
     * Creates the links of a rank.
     *
     * @param name names their owner in messages, for example "rank 3 of local"
     * @param onFault ends the communicator
     */
    public RankLinks(String name, BackendDevice device, Duration timeout, AbortFlag abort, FaultHandler onFault) {
        this(
                name,
                device,
                timeout,
                abort,
                onFault,
                () -> ProviderCatalog.installed("multicast", MulticastProvider.class)
                        .available());
    }

    /**
     * Creates the links of a rank that uses certain providers of multicast.
     *
     * @param multicasts returns the providers that can be used here, best first
     */
    public RankLinks(
            String name,
            BackendDevice device,
            Duration timeout,
            AbortFlag abort,
            FaultHandler onFault,
            Supplier<List<MulticastProvider>> multicasts) {
        this.multicasts = multicasts;
        this.name = name;
        this.device = device;
        this.timeout = timeout;
        this.abort = abort;
        this.onFault = onFault;
    }

    /** Returns the name of their owner, for messages. */
    public String name() {
        return name;
    }

    /** Returns the rank's transports. */
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

    /**
     * Returns what identifies the device as a member of hardware multicast, as {@link HardwareKind#instance}; empty if
     * this rank cannot use it.
     */
    public Optional<String> multicastMember() {
        return MulticastSetUp.canUse(device, multicast())
                ? Optional.of(device.hardware().instance())
                : Optional.empty();
    }

    /** Returns the providers of multicast that can be used here, best first. */
    public List<MulticastProvider> multicast() {
        return multicasts.get();
    }

    /** Returns the agent of channels created by hand. */
    public synchronized ProxyAgent proxy() {
        ProxyAgent open = proxy;
        if (open == null) {
            open = openProxy(false);
            proxy = open;
        }
        return open;
    }

    /** Returns the agent of channels created by hand that kernels of users use. Only for devices that push triggers. */
    public synchronized ProxyAgent deviceProxy() {
        ProxyAgent open = deviceProxy;
        if (open == null) {
            open = openProxy(true);
            deviceProxy = open;
        }
        return open;
    }

    /**
     * Opens an agent for the port channels of one plan, which the process's proxy service runs. An agent has a thousand
     * semaphore ids and half as many memory ids, as many as triggers can name; many plans on many ranks need more in
     * total.
     */
    public ProxyAgent openProxy() {
        return openProxy(device.pushesTriggers());
    }

    /** Opens an agent into whose ring threads push, also on devices that push triggers; see {@link #openProxy()}. */
    public ProxyAgent openHostProxy() {
        return openProxy(false);
    }

    /** Returns the device of the rank. */
    public BackendDevice device() {
        return device;
    }

    private synchronized ProxyAgent openProxy(boolean pushedByDevice) {
        ProxyAgent opened = ProxyService.shared()
                .open(new ProxyAgentSpec(
                        name, device, TriggerFifo.DEFAULT_CAPACITY, pushedByDevice, timeout, abort, onFault));
        proxies.add(opened);
        return opened;
    }

    /**
     * Carries out everything that was pushed to channels created by hand, and waits until it is completed.
     *
     * @throws OperationTimeoutException if that takes longer than the timeout
     */
    public void drain() {
        List<ProxyAgent> open;
        synchronized (this) {
            open = Stream.of(Optional.ofNullable(proxy), Optional.ofNullable(deviceProxy))
                    .flatMap(Optional::stream)
                    .toList();
        }
        open.forEach(ProxyAgent::drain); // without the lock: transfers may take long
    }

    /** Closes an agent; {@link #stop} describes when. Idempotent. */
    public void closeProxy(ProxyAgent opened) {
        opened.close();
        synchronized (this) {
            proxies.remove(opened);
        }
    }

    /** Returns whether a transport or an agent was opened. */
    public synchronized boolean areUsed() {
        return transports != null || !proxies.isEmpty();
    }

    /**
     * Connects an endpoint to the endpoint of a peer. During the wait, this rank reports to other ranks for which rank
     * it waits. An abort ends the wait.
     *
     * @param transport the transport's name
     * @param deadline deadline of the wait for the peer
     * @throws OperationTimeoutException if the peer does not answer in time; the exception names it
     */
    public TransportConnection connect(
            ControlPlane control,
            TransportEndpoint endpoint,
            byte[] peerEndpoint,
            int peer,
            String transport,
            Deadline deadline) {
        String what = "connect to rank " + peer + " over transport " + transport;
        Runnable giveUp = endpoint::close;
        abort.whenSet(giveUp);
        try (CallScope _ = control.waitFor(what, List.of(peer))) {
            return endpoint.connect(peerEndpoint, Duration.ofNanos(Math.max(1, deadline.left())));
        } catch (OperationTimeoutException e) {
            OperationTimeoutException told = new OperationTimeoutException(
                    name + " waited in vain to " + what + ": " + e.getMessage(), List.of(peer));
            told.initCause(e);
            throw told;
        } catch (MsccljException e) {
            if (abort.isSet()) { // which has closed the endpoint
                MsccljException ended = abort.exception(what);
                ended.initCause(e);
                throw ended;
            }
            throw e;
        } finally {
            abort.forget(giveUp);
        }
    }

    /**
     * Returns the listener of a connection, which is called while no thread uses the connection. Progress wakes the
     * proxy. After a failure the communicator has lost the peer, because a thread that waits for the peer would wait in
     * vain.
     *
     * @param peer the rank at the other end of the connection
     * @param transport the transport's name
     * @param driver the agent that uses it
     */
    public ConnectionListener listener(int peer, String transport, ProxyAgent driver) {
        return listener(peer, transport, driver, () -> driver);
    }

    /**
     * Returns the listener of a connection that two agents use; see the other {@code listener}.
     *
     * @param answering returns the agent that answers requests of peers
     */
    public ConnectionListener listener(int peer, String transport, ProxyAgent driver, Supplier<ProxyAgent> answering) {
        return new ConnectionListener() {
            @Override
            public void progressed() {
                driver.wake();
            }

            @Override
            public void signalled() {
                answering.get().signalled();
            }

            @Override
            public void failed(String reason) {
                onFault.failed(
                        OptionalInt.of(peer),
                        name + " lost rank " + peer + ", which it reached by transport " + transport + ": " + reason);
            }
        };
    }

    /**
     * Carries out everything that was pushed, and stops: this rank's proxies no longer access memory, except to answer
     * peers whose launches have not ended. All ranks must call this before any rank frees memory. Idempotent.
     */
    public synchronized void stop() {
        Resources.close(
                proxies.stream().<AutoCloseable>map(proxy -> proxy::stop).toList());
        proxies.removeIf(proxy -> !proxy.isServing());
    }

    /** Stops, answers no more requests, and closes the transports. Idempotent. */
    @Override
    public synchronized void close() {
        List<AutoCloseable> all = new ArrayList<>();
        Optional.ofNullable(transports).ifPresent(all::add);
        all.addAll(proxies);
        proxies.clear();
        Resources.close(all); // in reverse order
    }
}
