package org.mscclj.backend.host;

import org.mscclj.backend.host.memory.HostMemory;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.BackendOptions;

/** The open CPU backend: one scheduler with one worker per core. */
final class HostBackend implements Backend {
    private final HostMemory memory;

    HostBackend(BackendOptions options) {
        int threads = Runtime.getRuntime().availableProcessors();
        memory = options.processes() ? HostMemory.shared(threads) : HostMemory.ofProcess(threads);
    }

    @Override
    public String name() {
        return "host";
    }

    @Override
    public BackendDevice openDevice(int localRank) {
        return new HostDevice(localRank, memory);
    }

    @Override
    public void close() {
        memory.close();
    }
}
