package org.mscclj.runtime.communicator;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.mscclj.runtime.provider.ProviderCatalog;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.BackendProvider;

/**
 * Devices of the host that do something of the test's before they allocate: so a test is in the middle of what a rank
 * sets up.
 */
final class WatchedDevices {
    private final BackendProvider provider =
            ProviderCatalog.installed("backend", BackendProvider.class).find(Optional.of("host"));
    private final Map<Integer, Runnable> actions = new ConcurrentHashMap<>();
    private final Map<Integer, Runnable> streamActions = new ConcurrentHashMap<>();

    /** Does something once, when the device of a rank allocates next, in the thread that allocates. */
    void whenAllocating(int rank, Runnable action) {
        actions.put(rank, action);
    }

    /**
     * Does something once, when the device of a rank creates a stream next: the first that a communicator does which is
     * made.
     */
    void whenCreatingAStream(int rank, Runnable action) {
        streamActions.put(rank, action);
    }

    /** Gives each rank its device by its position among those of this process. */
    BackendProvider provider() {
        return wrapped(
                BackendProvider.class,
                provider,
                (method, result, _) -> method.getName().equals("open") ? backend((Backend) result) : result);
    }

    private Backend backend(Backend backend) {
        return wrapped(Backend.class, backend, (method, result, arguments) -> switch (method.getName()) {
            case "openDevice" -> device((BackendDevice) result, (int) arguments[0]);
            case "openDevices" -> {
                List<BackendDevice> devices = new ArrayList<>();
                for (Object device : (List<?>) result) {
                    devices.add(device((BackendDevice) device, devices.size()));
                }
                yield devices;
            }
            default -> result;
        });
    }

    private BackendDevice device(BackendDevice device, int rank) {
        return (BackendDevice) Proxy.newProxyInstance(
                BackendDevice.class.getClassLoader(),
                new Class<?>[] {BackendDevice.class},
                (self, method, arguments) -> {
                    if (method.getName().startsWith("allocate")) {
                        Optional.ofNullable(actions.remove(rank)).ifPresent(Runnable::run);
                    } else if (method.getName().equals("createStream")) {
                        Optional.ofNullable(streamActions.remove(rank)).ifPresent(Runnable::run);
                    }
                    return method.getName().equals("equals") ? self == arguments[0] : invoke(method, device, arguments);
                });
    }

    /** Changes what a method has given. */
    @FunctionalInterface
    private interface Change {
        Object of(Method method, Object result, Object[] arguments);
    }

    private static <T> T wrapped(Class<T> type, T inner, Change change) {
        InvocationHandler handler =
                (_, method, arguments) -> change.of(method, invoke(method, inner, arguments), arguments);
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static Object invoke(Method method, Object target, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
