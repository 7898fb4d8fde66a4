package org.mscclj.backend.cuda;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.mscclj.backend.cuda.context.DeviceContext;

/**
 * GPUs that this process has used. Their contexts stay until it ends, as those of CUDA's runtime do: making them takes a second and more, which whoever opens
 * one group after the other would pay each time.
 */
final class UsedGpus {
    private static final Map<Integer, DeviceContext> CONTEXTS = new ConcurrentHashMap<>();
    private static final System.Logger LOGGER = System.getLogger(UsedGpus.class.getName());

    private UsedGpus() {}

    /**
     * Makes the contexts of GPUs that there are none of yet, at the same time: each takes half a second. What fails is told by who opens the device afterwards.
     *
     * @param meanwhile what else takes time before the first of them can be used
     */
    static void use(List<Integer> ordinals, Runnable meanwhile) {
        List<Thread> threads = ordinals.stream()
                .filter(ordinal -> !CONTEXTS.containsKey(ordinal))
                .map(ordinal -> Thread.ofPlatform()
                        .name("mscclj-cuda-context-" + ordinal)
                        .daemon()
                        .start(() -> attempt("making a context of GPU " + ordinal, () -> makeContext(ordinal))))
                .toList();
        if (!threads.isEmpty()) {
            attempt("preparing kernels", meanwhile);
        }
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return; // the rest is made when it is needed
            }
        }
    }

    private static void makeContext(int ordinal) {
        DeviceContext _ = CONTEXTS.computeIfAbsent(ordinal, DeviceContext::open);
    }

    private static void attempt(String what, Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOGGER.log(Level.DEBUG, what + " failed for now", e);
        }
    }

    /** Gives the contexts back that nobody uses. */
    static void forget() {
        CONTEXTS.values().forEach(DeviceContext::close);
        CONTEXTS.clear();
    }
}
