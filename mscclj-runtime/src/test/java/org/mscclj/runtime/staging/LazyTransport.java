package org.mscclj.runtime.staging;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Deque;
import org.mscclj.spi.transport.ConnectionListener;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.RemoteMemory;
import org.mscclj.spi.transport.Transport;
import org.mscclj.spi.transport.TransportConnection;
import org.mscclj.spi.transport.TransportEndpoint;

/**
 * A transport that posts nothing before it is asked for progress, and that reports no signals: as little as the
 * interface allows.
 */
final class LazyTransport {
    private LazyTransport() {}

    /** Returns the transport over another one. */
    static Transport over(Transport transport) {
        return (Transport) Proxy.newProxyInstance(
                Transport.class.getClassLoader(), new Class<?>[] {Transport.class}, (_, method, arguments) -> {
                    Object result = invoke(method, transport, arguments);
                    return result instanceof TransportEndpoint endpoint ? over(endpoint) : result;
                });
    }

    private static TransportEndpoint over(TransportEndpoint endpoint) {
        return (TransportEndpoint) Proxy.newProxyInstance(
                TransportEndpoint.class.getClassLoader(),
                new Class<?>[] {TransportEndpoint.class},
                (_, method, arguments) -> {
                    Object result = invoke(method, endpoint, arguments);
                    return result instanceof TransportConnection connection ? new Lazy(connection) : result;
                });
    }

    private static Object invoke(Method method, Object target, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static final class Lazy implements TransportConnection {
        private final TransportConnection connection;
        private final Deque<Runnable> operations = new ArrayDeque<>();
        private long posted;

        Lazy(TransportConnection connection) {
            this.connection = connection;
        }

        @Override
        public long write(LocalMemory source, long from, RemoteMemory target, long to, long bytes) {
            operations.add(() -> connection.write(source, from, target, to, bytes));
            return ++posted;
        }

        @Override
        public long signal(RemoteMemory target, long targetOffset) {
            operations.add(() -> connection.signal(target, targetOffset));
            return ++posted;
        }

        @Override
        public long completed() {
            if (!operations.isEmpty()) {
                operations.remove().run();
            }
            return connection.completed();
        }

        @Override
        public boolean isPeerLost() {
            return connection.isPeerLost();
        }

        @Override
        public void listen(ConnectionListener listener) {
            connection.listen(new ConnectionListener() {
                @Override
                public void progressed() {}

                @Override
                public void failed(String reason) {
                    listener.failed(reason);
                }
            });
        }

        @Override
        public void close() {
            connection.close();
        }
    }
}
