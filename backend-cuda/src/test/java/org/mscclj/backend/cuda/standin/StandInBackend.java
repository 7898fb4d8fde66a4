package org.mscclj.backend.cuda.standin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.mscclj.backend.cuda.CudaBackendProvider;
import org.mscclj.gpu.UsedContexts;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.BackendOptions;

/** The backend for ranks that are threads, on the stand-in, of which nothing lives on when all is closed. */
public final class StandInBackend implements AutoCloseable {
    private final Map<StandIn.Kind, Long> before = StandIn.live();
    private final Backend backend = new CudaBackendProvider().open(BackendOptions.threads());

    /** Opens a device, to be closed before this is. */
    public BackendDevice openDevice(int ordinal) {
        return backend.openDevice(ordinal);
    }

    /** Fails if anything lives that did not before. */
    @Override
    public void close() {
        backend.close();
        UsedContexts.forget();
        assertEquals(before, StandIn.live());
    }
}
