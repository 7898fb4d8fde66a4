package org.mscclj.backend.host;

import org.mscclj.backend.host.schedule.HostScheduler;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendDevice;

/** The open CPU backend: one scheduler with as many seats as there are cores. */
final class HostBackend implements Backend {
    private final HostScheduler scheduler =
            new HostScheduler(Runtime.getRuntime().availableProcessors());

    @Override
    public String name() {
        return "host";
    }

    @Override
    public BackendDevice openDevice(int localRank) {
        return new HostDevice(localRank, scheduler);
    }

    @Override
    public void close() {
        scheduler.close();
    }
}
