package org.mscclj.backend.cuda.engine;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.mscclj.backend.cuda.compile.KernelCompiler;
import org.mscclj.backend.cuda.context.DeviceContext;
import org.mscclj.backend.cuda.module.Kernel;
import org.mscclj.backend.cuda.module.KernelModule;

/**
 * Kernels that one rank has loaded on its GPU, by their source: its plans of the same shapes share one. Other ranks of this process on that GPU load their own; what
 * is compiled they share.
 */
final class KernelCache implements AutoCloseable {
    private final DeviceContext context;
    private final KernelCompiler compiler;
    private final Map<String, KernelModule> modules = new HashMap<>();
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
     */
    Kernel get(String label, String source, String name) {
        Kernel kernel = kernels.get(source);
        return kernel != null ? kernel : load(label, source, name);
    }

    private synchronized Kernel load(String label, String source, String name) {
        Kernel kernel = kernels.get(source);
        if (kernel == null) {
            KernelModule module = KernelModule.load(context, compiler.compile(label, source, context.architecture()));
            modules.put(source, module);
            kernel = module.kernel(name);
            kernels.put(source, kernel);
        }
        return kernel;
    }

    @Override
    public synchronized void close() {
        modules.values().forEach(KernelModule::close);
        modules.clear();
        kernels.clear();
    }
}
