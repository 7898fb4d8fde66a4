package org.mscclj.conformance.transport;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.conformance.task.DaemonTask;
import org.mscclj.conformance.task.Opened;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.transport.ConnectionListener;
import org.mscclj.spi.transport.Transport;
import org.mscclj.spi.transport.TransportConnection;
import org.mscclj.spi.transport.TransportEndpoint;
import org.mscclj.spi.transport.TransportProvider;

/** Two ranks with a transport each. */
public final class TransportPair implements AutoCloseable {
    private final TransportProvider provider;
    private final BackendDevice senderDevice;
    private final BackendDevice receiverDevice;
    private final Transport sender;
    private final Transport receiver;
    private final Duration timeout;

    /**
     * Opens the transport for two devices. The caller remains their owner.
     *
     * @param timeout the longest time that a check waits
     */
    public TransportPair(
            TransportProvider provider, BackendDevice senderDevice, BackendDevice receiverDevice, Duration timeout) {
        this.provider = provider;
        this.senderDevice = senderDevice;
        this.receiverDevice = receiverDevice;
        this.timeout = timeout;
        this.sender = provider.open(senderDevice);
        try {
            this.receiver = provider.open(receiverDevice);
        } catch (RuntimeException | Error e) {
            try (sender) {
                throw e;
            }
        }
    }

    TransportProvider provider() {
        return provider;
    }

    BackendDevice senderDevice() {
        return senderDevice;
    }

    BackendDevice receiverDevice() {
        return receiverDevice;
    }

    Transport sender() {
        return sender;
    }

    Transport receiver() {
        return receiver;
    }

    Duration timeout() {
        return timeout;
    }

    /** Connects both ranks; each side may wait for the other. */
    Link connect() {
        Opened opened = new Opened();
        try {
            TransportEndpoint near =
                    opened.add(sender.createEndpoint(receiver.describeAddress()), TransportEndpoint::close);
            TransportEndpoint far =
                    opened.add(receiver.createEndpoint(sender.describeAddress()), TransportEndpoint::close);
            byte[] nearDescription = near.describe();
            byte[] farDescription = far.describe();
            DaemonTask<TransportConnection> connecting =
                    DaemonTask.start("conformance-connect", () -> far.connect(nearDescription));
            TransportConnection nearEnd = opened.add(near.connect(farDescription), TransportConnection::close);
            if (!connecting.endsWithin(timeout)) {
                throw new OperationTimeoutException(
                        "one end has connected, the other not within " + DurationText.of(timeout), List.of());
            }
            return Link.of(nearEnd, opened.add(connecting.result(), TransportConnection::close));
        } catch (RuntimeException | Error e) {
            try (opened) {
                throw e;
            }
        }
    }

    /**
     * Both ends of a connection.
     *
     * @param near the sender's end
     * @param far the receiver's end
     * @param failure why one of the ends has failed; null if none has
     * @param told the number of signals for which the receiver's listener was called
     */
    record Link(
            TransportConnection near,
            TransportConnection far,
            AtomicReference<@Nullable String> failure,
            AtomicInteger told)
            implements AutoCloseable {
        /** Listens to both ends, as the runtime does before the first operation. */
        static Link of(TransportConnection near, TransportConnection far) {
            Link link = new Link(near, far, new AtomicReference<>(), new AtomicInteger());
            near.listen(link.listener(new AtomicInteger()));
            far.listen(link.listener(link.told));
            return link;
        }

        private ConnectionListener listener(AtomicInteger signals) {
            return new ConnectionListener() {
                @Override
                public void progressed() {
                    // threads that wait poll
                }

                @Override
                public void signalled() {
                    signals.incrementAndGet();
                }

                @Override
                public void failed(String reason) {
                    failure.compareAndSet(null, reason);
                }
            };
        }

        /** Advances both ends. Throws if a transport has reported that an end failed. */
        long progress() {
            String reason = failure.get();
            if (reason != null) {
                throw new AbortedException("a connection failed: " + reason);
            }
            far.completed();
            return near.completed();
        }

        @Override
        public void close() {
            try (far;
                    near) {
                // closes both, also if one fails
            }
        }
    }

    @Override
    public void close() {
        try (receiver;
                sender) {
            // closes both, also if one fails
        }
    }
}
