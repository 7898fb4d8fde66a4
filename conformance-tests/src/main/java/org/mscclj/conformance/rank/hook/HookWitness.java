package org.mscclj.conformance.rank.hook;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import org.mscclj.api.hook.CommunicatorHook;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankContext;

/** A hook that records its calls. */
final class HookWitness implements CommunicatorHook {
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final List<OperationDescription> operations = new CopyOnWriteArrayList<>();
    private final BlockingQueue<String> reasons = new LinkedBlockingQueue<>();

    /** Returns a hook that fails at each call. */
    static CommunicatorHook failing() {
        return new CommunicatorHook() {
            @Override
            public void beforeOperation(OperationDescription operation) {
                throw new HookFault();
            }

            @Override
            public void afterOperation(OperationDescription operation, long sequence) {
                throw new HookFault();
            }

            @Override
            public void onReplay(long sequence) {
                throw new HookFault();
            }

            @Override
            public void onAbort(String reason) {
                throw new HookFault();
            }
        };
    }

    /** An exception without a stack trace, which would be logged each time. */
    private static final class HookFault extends RuntimeException {
        private static final long serialVersionUID = 1L;

        HookFault() {
            super("conformance: a hook that fails on purpose", null, false, false);
        }
    }

    /** Returns the records of a launch: the call before it, and the call after it. */
    static List<String> launch(String operation, long sequence) {
        return List.of("before " + operation, "after " + operation + " #" + sequence);
    }

    /** Returns the record of a replay. */
    static String replay(long sequence) {
        return "replay #" + sequence;
    }

    @Override
    public void beforeOperation(OperationDescription operation) {
        operations.add(operation);
        told.add("before " + operation.operation());
    }

    @Override
    public void afterOperation(OperationDescription operation, long sequence) {
        told.add("after " + operation.operation() + " #" + sequence);
    }

    @Override
    public void onReplay(long sequence) {
        told.add(replay(sequence));
    }

    @Override
    public void onAbort(String reason) {
        reasons.add(reason);
    }

    /** Reports recorded calls about launches and replays that differ from the correct ones. */
    void require(RankContext context, List<String> right) {
        if (!told.equals(right)) {
            context.report(FindingKind.BEHAVIOUR, "the calls of a hook were " + told + "; right is " + right);
        }
    }

    /** Returns the operations of all calls before a launch. */
    List<OperationDescription> operations() {
        return operations;
    }

    /** Returns the reasons of aborts. */
    BlockingQueue<String> reasons() {
        return reasons;
    }
}
