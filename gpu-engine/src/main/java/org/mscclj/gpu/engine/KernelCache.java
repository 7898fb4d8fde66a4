package org.mscclj.gpu.engine;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.mscclj.gpu.cache.Digest;
import org.mscclj.gpu.compile.KernelCompiler;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.module.Kernel;
import org.mscclj.gpu.module.KernelModule;

/**
 * Kernels that one rank has loaded on its GPU, by their source: its plans of the same shapes share one. Other ranks of
 * this process on that GPU load their own; what is compiled they share.
 */
final class KernelCache implements AutoCloseable {
    private final DeviceContext context;
    private final KernelCompiler compiler;
    private final List<KernelModule> modules = new ArrayList<>();

    /** By the digest of the source, which has 60 KB and more and is not kept. */
    private final ConcurrentMap<String, Kernel> kernels = new ConcurrentHashMap<>();

    KernelCache(DeviceContext context, KernelCompiler compiler) {
        this.context = context;
        this.compiler = compiler;
    }

    /**
     * A kernel, compiled and loaded if it is new. Who wants one that is loaded does not wait for who loads another.
     *
     * @param label for messages
     * @param source complete
     * @param name of the function
     * @param going throws what ends the wait early for other kernels, before which the driver loads nothing; must not
     *     block
     */
    Kernel get(String label, String source, String name, Runnable going) {
        String key = Digest.of(source.getBytes(StandardCharsets.UTF_8));
        Kernel kernel = kernels.get(key);
        return kernel != null ? kernel : load(key, label, source, name, going);
    }

    private synchronized Kernel load(String key, String label, String source, String name, Runnable going) {
        Kernel kernel = kernels.get(key);
        if (kernel == null) {
            KernelModule module =
                    KernelModule.load(context, compiler.compile(label, source, context.architecture()), going);
            modules.add(module);
            kernel = module.kernel(name, label, going);
            kernels.put(key, kernel);
        }
        return kernel;
    }

    @Override
    public synchronized void close() {
        modules.forEach(KernelModule::close);
        modules.clear();
        kernels.clear();
    }
}
