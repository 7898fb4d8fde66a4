package org.mscclj.conformance.reference;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.hook.CommunicatorHook;
import org.mscclj.api.hook.HookRegistration;
import org.mscclj.api.hook.OperationDescription;

/** Hooks of a rank of the reference. Of aborts they are told by the communicator that the reference uses. */
final class ReferenceHooks {
    private final List<CommunicatorHook> hooks = new CopyOnWriteArrayList<>();

    HookRegistration add(CommunicatorHook hook, HookRegistration ofAborts) {
        hooks.add(hook);
        return () -> {
            hooks.remove(hook);
            ofAborts.close();
        };
    }

    static OperationDescription describe(CollectiveCall call) {
        return new OperationDescription(
                call.collective().label(),
                call.type().label(),
                call.op().kind().label(),
                call.root(),
                call.input().byteSize(),
                call.input().address() == call.output().address(),
                "reference");
    }

    void before(OperationDescription operation) {
        tell(hook -> hook.beforeOperation(operation));
    }

    void after(OperationDescription operation, long sequence) {
        tell(hook -> hook.afterOperation(operation, sequence));
    }

    private void tell(Consumer<CommunicatorHook> telling) {
        for (CommunicatorHook hook : hooks) {
            try {
                telling.accept(hook);
            } catch (RuntimeException _) {
                // a hook's own affair
            }
        }
    }
}
