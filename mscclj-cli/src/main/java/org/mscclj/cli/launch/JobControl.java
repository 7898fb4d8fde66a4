package org.mscclj.cli.launch;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;

/**
 * Forwards job control to child processes: when a terminal stops this process (Ctrl-Z) and continues it. Children run
 * in sessions of their own, which receive no signals of the terminal. {@code SIGSTOP} cannot be detected. Where the VM
 * does not handle signals, as with {@code -Xrs}, nothing is forwarded.
 */
final class JobControl implements AutoCloseable {
    private static final String STOP = "TSTP";
    private static final String CONTINUE = "CONT";

    private final Map<String, Object> replaced = new HashMap<>();

    private JobControl() {}

    /** The processes that are stopped and continued. */
    interface Jobs {
        /** Stops them. */
        void suspend();

        /** Continues them. */
        void resume();
    }

    /** Forwards signals until this is closed. */
    static JobControl of(Jobs jobs) {
        JobControl control = new JobControl();
        control.handle(STOP, () -> {
            jobs.suspend();
            ProcessTree.signal("STOP", ProcessHandle.current().pid()); // returns when this process is continued
            jobs.resume();
        });
        control.handle(CONTINUE, jobs::resume);
        return control;
    }

    @SuppressWarnings("ReferenceEquality") // a proxy equals only itself
    private void handle(String signal, Runnable action) {
        try {
            Class<?> handlers = Class.forName("sun.misc.SignalHandler");
            InvocationHandler handler = (proxy, method, arguments) -> switch (method.getName()) {
                case "handle" -> {
                    action.run();
                    yield null;
                }
                case "equals" -> proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> signal;
            };
            replaced.put(
                    signal,
                    set(signal, Proxy.newProxyInstance(handlers.getClassLoader(), new Class<?>[] {handlers}, handler)));
        } catch (ReflectiveOperationException e) {
            replaced.remove(signal); // this VM has no signal handlers, or reserves these signals
        }
    }

    /** By reflection, since the compiler warns of these classes and the JDK has no alternative. */
    private static Object set(String signal, Object handler) throws ReflectiveOperationException {
        Class<?> signals = Class.forName("sun.misc.Signal");
        return signals.getMethod("handle", signals, Class.forName("sun.misc.SignalHandler"))
                .invoke(null, signals.getConstructor(String.class).newInstance(signal), handler);
    }

    /** Stops forwarding. */
    @Override
    public void close() {
        replaced.forEach((signal, handler) -> {
            try {
                Object _ = set(signal, handler);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("SIG" + signal + " could be handled before", e);
            }
        });
    }
}
