package org.mscclj.gpu;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.context.Gpu;
import org.mscclj.gpu.driver.EarlyWork;

/**
 * The contexts of the GPUs that this process has used. They stay open until the process ends, like the contexts of a
 * vendor's runtime. Opening a context takes half a second and more, and a program that opens groups one after the other
 * would pay that for each group.
 */
final class RetainedContexts {
    private static final Map<Gpu, DeviceContext> CONTEXTS = new ConcurrentHashMap<>();

    private RetainedContexts() {}

    /**
     * Opens GPUs. Contexts that do not exist yet are opened concurrently. Each context is tried once; the next call
     * tries again to open a context that fails now.
     *
     * @param meanwhile other slow work that overlaps with the opening; it reports its own failures to the code that
     *     needs its result
     * @return the contexts in the order of {@code gpus}; the caller closes each of them
     * @throws org.mscclj.api.error.BackendException with the reason for the first GPU that cannot be opened; then
     *     nothing has been opened
     */
    static List<DeviceContext> open(List<Gpu> gpus, Runnable meanwhile) {
        Map<Gpu, RuntimeException> failures = new ConcurrentHashMap<>();
        try (EarlyWork contexts = new EarlyWork()) {
            for (Gpu gpu : gpus) {
                if (!CONTEXTS.containsKey(gpu)) {
                    contexts.start("mscclj-gpu-context-" + gpu.ordinal(), () -> tryContext(gpu, failures));
                }
            }
            if (!contexts.isEmpty()) {
                EarlyWork.attempt("preparing kernels", meanwhile);
            }
        }
        List<DeviceContext> opened = new ArrayList<>();
        try {
            for (Gpu gpu : gpus) {
                RuntimeException failure = failures.get(gpu);
                if (failure != null) {
                    throw failure;
                }
                opened.add(context(gpu).share());
            }
            return opened;
        } catch (RuntimeException | Error e) {
            opened.forEach(DeviceContext::close);
            throw e;
        }
    }

    private static void tryContext(Gpu gpu, Map<Gpu, RuntimeException> failures) {
        try {
            DeviceContext _ = context(gpu);
        } catch (RuntimeException e) {
            failures.put(gpu, e);
        }
    }

    /**
     * Returns the context, and creates it if there is none. If another thread is creating it, the caller waits for that
     * thread.
     */
    private static DeviceContext context(Gpu gpu) {
        return CONTEXTS.computeIfAbsent(gpu, DeviceContext::open);
    }

    /** Releases the contexts that have no user. */
    static void forget() {
        CONTEXTS.values().forEach(DeviceContext::close);
        CONTEXTS.clear();
    }
}
