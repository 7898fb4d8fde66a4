package org.mscclj.cli.launch;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;

/**
 * Passes on that this process is stopped by a terminal (Ctrl-Z) and continued. What it has started is in sessions of
 * its own, where no signal of the terminal arrives. {@code SIGSTOP} cannot be noticed. Where the VM leaves signals to
 * others, as with {@code -Xrs}, nothing is passed on.
 */
final class JobControl implements AutoCloseable {
    private static final String STOP = "TSTP";
    private static final String CONTINUE = "CONT";

    private final Map<String, Object> replaced = new HashMap<>();

    private JobControl() {}

    /** Something that is stopped and continued. */
    interface Jobs {
        /** Stops all of it. */
        void suspend();

        /** Lets all of it go on. */
        void resume();
    }

    /** Passes it on until this is closed. */
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

    @SuppressWarnings("ReferenceEquality") // a proxy is equal to itself alone
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
            replaced.remove(signal); // the VM does not have them, or does not let them be handled
        }
    }

    /** By reflection, since the compiler warns of these classes, and the JDK has no others. */
    private static Object set(String signal, Object handler) throws ReflectiveOperationException {
        Class<?> signals = Class.forName("sun.misc.Signal");
        return signals.getMethod("handle", signals, Class.forName("sun.misc.SignalHandler"))
                .invoke(null, signals.getConstructor(String.class).newInstance(signal), handler);
    }

    /** Passes on nothing any more. */
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
