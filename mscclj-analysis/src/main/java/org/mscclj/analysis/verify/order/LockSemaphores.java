package org.mscclj.analysis.verify.order;

import java.util.List;
import org.mscclj.plan.Operation;
import org.mscclj.plan.RankPlan;

/**
 * Finds semaphores that are used as locks: each block acquires one, executes no operation that waits, and releases it.
 * A block that holds such a semaphore always releases it, so every block that waits for it obtains it in the end.
 */
final class LockSemaphores {
    private LockSemaphores() {}

    static boolean isLock(RankPlan rank, int semaphore) {
        return rank.semaphoreInitialValues().get(semaphore) > 0
                && rank.threadBlocks().stream().allMatch(block -> isBalanced(block.operations(), semaphore));
    }

    private static boolean isBalanced(List<Operation> operations, int semaphore) {
        boolean taken = false;
        for (Operation operation : operations) {
            switch (operation) {
                case Operation.SemaphoreAcquire acquire -> {
                    if (taken
                            || (acquire.semaphoreIds().contains(semaphore)
                                    && acquire.semaphoreIds().size() > 1)) {
                        return false;
                    }
                    taken = acquire.semaphoreIds().contains(semaphore);
                }
                case Operation.SemaphoreRelease release -> {
                    long times = release.semaphoreIds().stream()
                            .filter(id -> id == semaphore)
                            .count();
                    if (times > (taken ? 1 : 0)) {
                        return false;
                    }
                    taken &= times == 0;
                }
                case Operation.Pipeline pipeline -> {
                    if (taken || !isBalanced(pipeline.operations(), semaphore)) {
                        return false;
                    }
                }
                default -> {
                    if (taken && waits(operation)) {
                        return false;
                    }
                }
            }
        }
        return !taken;
    }

    private static boolean waits(Operation operation) {
        return switch (operation) {
            case Operation.Nop _, Operation.Signal _ -> false;
            case Operation.Data data -> data.byPort() || data.kind().awaitsPackets();
            default -> true;
        };
    }
}
