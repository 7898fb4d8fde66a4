package org.mscclj.gpu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.lang.ref.WeakReference;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.mscclj.backend.cuda.driver.CudaDriver;
import org.mscclj.backend.cuda.standin.Garbage;
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.device.kernels.plan.PlanKernel;
import org.mscclj.gpu.cache.CacheDirectory;
import org.mscclj.gpu.compile.KernelCompiler;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.context.Gpu;
import org.mscclj.gpu.module.Kernel;

@ResourceLock(StandIn.RESOURCE)
class KernelCacheTest {
    @TempDir
    Path folder;

    private DeviceContext context;
    private KernelCache cache;
    private long modules;

    @BeforeAll
    static void useStandIn() {
        StandIn.use();
    }

    @BeforeEach
    void open() {
        context = DeviceContext.open(new Gpu(CudaDriver.INSTANCE, 0));
        cache = new KernelCache(context, new KernelCompiler(CudaDriver.INSTANCE.compiler(), CacheDirectory.of(folder)));
        modules = modules();
    }

    @AfterEach
    void close() {
        cache.close();
        assertEquals(modules, modules());
        context.close();
    }

    private static long modules() {
        return StandIn.live().get(StandIn.Kind.MODULES);
    }

    private static String source(String comment) {
        return "extern \"C\" __global__ void " + PlanKernel.RUN + "() {} // " + comment;
    }

    private Kernel get(String comment) {
        return cache.get("nothing", source(comment), PlanKernel.RUN, () -> {});
    }

    @Test
    void kernelsOfEqualSourcesAreOne() {
        Kernel kernel = get("one");
        assertSame(kernel, get("one"));
        assertNotSame(kernel, get("other"));
        assertEquals(modules + 2, modules());
    }

    @Test
    void sourcesAreNotKept() throws InterruptedException {
        Garbage.assertCollected(
                ofSourceThatWasUsed(), "the source of a loaded kernel is kept: 60 KB and more, hundreds of times");
        get("used");
        assertEquals(modules + 1, modules());
    }

    private WeakReference<String> ofSourceThatWasUsed() {
        String source = source("used");
        cache.get("nothing", source, PlanKernel.RUN, () -> {});
        return new WeakReference<>(source);
    }
}
