package org.mscclj.gpu;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.context.Gpu;
import org.mscclj.gpu.driver.EarlyWork;

/**
 * The contexts of the GPUs that this process has used. They stay open until the process ends, like those of a vendor's
 * runtime: opening one takes half a second and more, and a program that opens groups one after the other would pay it
 * for each group.
 */
final class RetainedContexts {
    private static final Map<Gpu, DeviceContext> CONTEXTS = new ConcurrentHashMap<>();

    private RetainedContexts() {}

    /**
     * Opens GPUs, those that there are no contexts of yet at the same time. Each is tried once: what cannot be opened
     * now is tried again by the next call.
     *
     * @param meanwhile what else takes time before the first of them can be used; what fails there is told by who needs
     *     it
     * @return their contexts, in this order, each to be closed
     * @throws org.mscclj.api.error.BackendException why the first of those cannot be opened that cannot; then nothing
     *     has been opened
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

    /** Made if need be; who asks while another thread makes it waits for that. */
    private static DeviceContext context(Gpu gpu) {
        return CONTEXTS.computeIfAbsent(gpu, DeviceContext::open);
    }

    /** Gives the contexts back that nobody uses. */
    static void forget() {
        CONTEXTS.values().forEach(DeviceContext::close);
        CONTEXTS.clear();
    }
}
