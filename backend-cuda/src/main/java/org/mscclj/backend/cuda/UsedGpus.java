package org.mscclj.backend.cuda;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.mscclj.backend.cuda.context.DeviceContext;
import org.mscclj.backend.cuda.driver.EarlyWork;

/**
 * GPUs that this process has used. Their contexts stay until it ends, as those of CUDA's runtime do: making one takes half a second and more, which whoever
 * opens one group after the other would pay each time.
 */
final class UsedGpus {
    private static final Map<Integer, DeviceContext> CONTEXTS = new ConcurrentHashMap<>();

    private UsedGpus() {}

    /**
     * Makes the contexts of GPUs that there are none of yet, at the same time. What fails is told by who opens the device afterwards.
     *
     * @param meanwhile what else takes time before the first of them can be used
     */
    static void use(List<Integer> ordinals, Runnable meanwhile) {
        try (EarlyWork contexts = new EarlyWork()) {
            for (int ordinal : ordinals) {
                if (!CONTEXTS.containsKey(ordinal)) {
                    contexts.start("mscclj-cuda-context-" + ordinal, () -> makeContext(ordinal));
                }
            }
            if (!contexts.isEmpty()) {
                EarlyWork.attempt("preparing kernels", meanwhile);
            }
        }
    }

    private static void makeContext(int ordinal) {
        DeviceContext _ = CONTEXTS.computeIfAbsent(ordinal, DeviceContext::open);
    }

    /** Gives the contexts back that nobody uses. */
    static void forget() {
        CONTEXTS.values().forEach(DeviceContext::close);
        CONTEXTS.clear();
    }
}
