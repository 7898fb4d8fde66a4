package org.mscclj.conformance.reference;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What each rank has prepared last. */
final class LastPrepared {
    private final Map<Integer, Class<?>> calls = new ConcurrentHashMap<>();

    /** Sees a call of a rank. */
    void see(int rank, Method method) {
        if (method.getName().equals("prepare")) {
            calls.put(rank, method.getParameterTypes()[0]);
        }
    }

    /** Whether a rank has prepared that last. */
    boolean is(int rank, Class<?> call) {
        return call.equals(calls.get(rank));
    }
}
