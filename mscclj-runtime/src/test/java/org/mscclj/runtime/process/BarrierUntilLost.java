package org.mscclj.runtime.process;

import java.util.List;
import java.util.Optional;
import org.mscclj.api.Communicator;
import org.mscclj.api.Health;
import org.mscclj.api.error.RankLostException;

/**
 * A rank in a process of its own, which meets the others again and again until one is lost, and says which and when.
 */
public final class BarrierUntilLost {
    private BarrierUntilLost() {}

    public static void main(String[] arguments) {
        try (Communicator communicator = Communicator.open()) {
            Optional<Communicator> child =
                    communicator.split(communicator.rank() < 2 ? List.of(1, 0) : List.of(), "child");
            communicator.barrier();
            System.out.println("ready");
            try {
                while (true) {
                    communicator.barrier();
                }
            } catch (RankLostException e) {
                System.out.println("lost " + e.rank() + " at " + System.currentTimeMillis());
                Health.ofProcess().faults().stream()
                        .filter(fault -> fault.communicator().equals(communicator.name()))
                        .forEach(fault -> System.out.println(fault.kind() + ": " + fault.reason()));
            }
            child.ifPresent(Communicator::close);
        }
    }
}
