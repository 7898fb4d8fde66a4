package org.mscclj.backend.cuda.driver;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.mscclj.backend.cuda.ffm.NvmlFabric;
import org.mscclj.gpu.driver.FabricState;

/** The registration of GPUs with NVSwitches. */
final class SwitchRegistration {
    private static final String REMEDY = "the fabric manager registers GPUs: check \"systemctl status"
            + " nvidia-fabricmanager\" on the host, and Fabric in \"nvidia-smi -q\"";

    private SwitchRegistration() {}

    /** The registration of a GPU; empty if this system does not know it. */
    static Optional<FabricState> of(UUID gpu) {
        return NvmlFabric.of(gpu).map(SwitchRegistration::state);
    }

    /** The registrations of all GPUs in a few words; empty if none of them has a fabric. */
    static Optional<String> summary() {
        Map<String, Long> states = NvmlFabric.all().stream()
                .map(SwitchRegistration::state)
                .filter(state -> state.phase() != FabricState.Phase.NOT_SUPPORTED)
                .collect(Collectors.groupingBy(FabricState::text, TreeMap::new, Collectors.counting()));
        return states.isEmpty()
                ? Optional.empty()
                : Optional.of(states.entrySet().stream()
                        .map(state -> state.getValue() + " of them " + state.getKey())
                        .collect(Collectors.joining("; ", "fabric of switches: ", "")));
    }

    private static FabricState state(NvmlFabric known) {
        return new FabricState(
                phase(known.state()),
                known.status() == 0 ? "" : "NVML error " + known.status(),
                known.cluster(),
                known.clique(),
                REMEDY);
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
