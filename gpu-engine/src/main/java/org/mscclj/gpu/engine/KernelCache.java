package org.mscclj.gpu.engine;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.mscclj.gpu.compile.KernelCompiler;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.module.Kernel;
import org.mscclj.gpu.module.KernelModule;
import org.mscclj.plan.digest.Sha256;

/**
 * The kernels that one rank has loaded on its GPU, by source. Plans of equal shapes share a kernel. Other ranks of this
 * process on that GPU load their own kernels, but share the compiled code.
 */
final class KernelCache implements AutoCloseable {
    private final DeviceContext context;
    private final KernelCompiler compiler;
    private final List<KernelModule> modules = new ArrayList<>();

    /** By the architecture and the digest of the source. A source has 60 KB and more and is not kept. */
    private final ConcurrentMap<String, Kernel> kernels = new ConcurrentHashMap<>();

    KernelCache(DeviceContext context, KernelCompiler compiler) {
        this.context = context;
        this.compiler = compiler;
    }

    /** Returns a kernel for the GPU's architecture, as the other method does. */
    Kernel get(String label, String source, String name, Runnable going) {
        return get(label, source, name, architecture(), going);
    }

    /**
     * Returns a kernel, and compiles and loads it if it is new. A thread that wants a loaded kernel does not wait for a
     * thread that loads another one.
     *
     * @param label for messages
     * @param source complete
     * @param name of the function
     * @param architecture for which it is compiled
     * @param going throws to end the wait for running kernels early; the driver loads nothing before they have ended.
     *     Must not block
     */
    Kernel get(String label, String source, String name, String architecture, Runnable going) {
        String key = architecture + Sha256.of(source.getBytes(StandardCharsets.UTF_8));
        Kernel kernel = kernels.get(key);
        return kernel != null ? kernel : load(key, label, source, name, architecture, going);
    }

    /** The architecture of the GPU. */
    String architecture() {
        return context.architecture();
    }

    private synchronized Kernel load(
            String key, String label, String source, String name, String architecture, Runnable going) {
        Kernel kernel = kernels.get(key);
        if (kernel == null) {
            KernelModule module = KernelModule.load(context, compiler.compile(label, source, architecture), going);
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
