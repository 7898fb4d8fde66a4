package org.mscclj.backend.cuda.standin;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.mscclj.api.device.Stream;
import org.mscclj.spi.device.BackendDevice;

/**
 * GPU 0 of the stand-in, open while a test runs, with a backend of its own. The kernels of earlier tests are forgotten,
 * and afterwards nothing may live on.
 */
public final class StandInGpu implements BeforeEachCallback, AfterEachCallback {
    private final List<AutoCloseable> opened = new ArrayList<>();
    private StandInBackend backend;
    private BackendDevice device;

    @Override
    public void beforeEach(ExtensionContext context) {
        StandIn.use();
        backend = opened(new StandInBackend());
        device = opened(backend.openDevice(0));
        StandInKernels.forget();
    }

    /** Comes after the test's own methods that end it. */
    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        for (AutoCloseable one : opened.reversed()) {
            one.close();
        }
    }

    private <T extends AutoCloseable> T opened(T one) {
        opened.add(one);
        return one;
    }

    /** That of the GPU. */
    public StandInBackend backend() {
        return backend;
    }

    /** The GPU. */
    public BackendDevice device() {
        return device;
    }

    /** A stream, which is closed after the test. */
    public Stream createStream() {
        return opened(device.createStream());
    }
}
