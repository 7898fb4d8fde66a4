package org.mscclj.backend.cuda.driver;

import java.util.Optional;
import java.util.UUID;
import org.mscclj.backend.cuda.ffm.NvmlFabric;
import org.mscclj.gpu.driver.FabricState;

/** The registration of GPUs with NVSwitches. */
final class SwitchRegistration {
    private static final String REMEDY = "the fabric manager registers GPUs: check \"systemctl status"
            + " nvidia-fabricmanager\" on the host, and Fabric in \"nvidia-smi -q\"";

    private SwitchRegistration() {}

    /** The registration of a GPU; empty if this system does not know it. */
    static Optional<FabricState> of(UUID gpu) {
        return NvmlFabric.of(gpu)
                .map(known -> new FabricState(
                        phase(known.state()),
                        known.status() == 0 ? "" : "NVML error " + known.status(),
                        known.cluster(),
                        known.clique(),
                        REMEDY));
    }

    private static FabricState.Phase phase(int state) {
        return switch (state) {
            case 1 -> FabricState.Phase.NOT_STARTED;
            case 2 -> FabricState.Phase.IN_PROGRESS;
            case 3 -> FabricState.Phase.COMPLETED;
            default -> FabricState.Phase.NOT_SUPPORTED;
        };
    }
}
