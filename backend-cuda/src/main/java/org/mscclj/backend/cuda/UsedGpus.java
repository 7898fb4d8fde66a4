package org.mscclj.backend.cuda;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.mscclj.backend.cuda.context.DeviceContext;
import org.mscclj.backend.cuda.driver.EarlyWork;

/**
 * GPUs that this process has used. Their contexts stay until it ends, as those of CUDA's runtime do: making one takes
 * half a second and more, which whoever opens one group after the other would pay each time.
 */
final class UsedGpus {
    private static final Map<Integer, DeviceContext> CONTEXTS = new ConcurrentHashMap<>();

    private UsedGpus() {}

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
    static List<DeviceContext> open(List<Integer> ordinals, Runnable meanwhile) {
        Map<Integer, RuntimeException> failures = new ConcurrentHashMap<>();
        try (EarlyWork contexts = new EarlyWork()) {
            for (int ordinal : ordinals) {
                if (!CONTEXTS.containsKey(ordinal)) {
                    contexts.start("mscclj-cuda-context-" + ordinal, () -> tryContext(ordinal, failures));
                }
            }
            if (!contexts.isEmpty()) {
                EarlyWork.attempt("preparing kernels", meanwhile);
            }
        }
        List<DeviceContext> opened = new ArrayList<>();
        try {
            for (int ordinal : ordinals) {
                RuntimeException failure = failures.get(ordinal);
                if (failure != null) {
                    throw failure;
                }
                opened.add(context(ordinal).share());
            }
            return opened;
        } catch (RuntimeException | Error e) {
            opened.forEach(DeviceContext::close);
            throw e;
        }
    }

    private static void tryContext(int ordinal, Map<Integer, RuntimeException> failures) {
        try {
            DeviceContext _ = context(ordinal);
        } catch (RuntimeException e) {
            failures.put(ordinal, e);
        }
    }

    /** Made if need be; who asks while another thread makes it waits for that. */
    private static DeviceContext context(int ordinal) {
        return CONTEXTS.computeIfAbsent(ordinal, DeviceContext::open);
    }

    /** Gives the contexts back that nobody uses. */
    static void forget() {
        CONTEXTS.values().forEach(DeviceContext::close);
        CONTEXTS.clear();
    }
}
