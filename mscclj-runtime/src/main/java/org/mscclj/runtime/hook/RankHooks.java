package org.mscclj.runtime.hook;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.mscclj.api.hook.CommunicatorHook;
import org.mscclj.api.hook.HookRegistration;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.engine.LaunchOrder;

/**
 * The hooks of a communicator on one rank. Safe for use by several threads; where there are none, asking costs one
 * read.
 */
public final class RankHooks {
    private static final System.Logger LOGGER = System.getLogger(RankHooks.class.getName());

    private final AbortFlag abort;
    private volatile CommunicatorHook[] hooks = {};

    /** No hooks yet; those to come are told of aborts and of replays. */
    public RankHooks(LaunchOrder order, AbortFlag abort) {
        this.abort = abort;
        order.whenReplayed(this::replayed);
        abort.whenSet(this::aborted);
    }

    /** Whether there are none. */
    public boolean isEmpty() {
        return hooks.length == 0;
    }

    /** Adds a hook, which is told after those before it; of what has ended the communicator also if that was before. */
    public HookRegistration add(CommunicatorHook hook) {
        Registration registration = new Registration(hook);
        synchronized (this) {
            CommunicatorHook[] more = Arrays.copyOf(hooks, hooks.length + 1);
            more[hooks.length] = registration;
            hooks = more;
        }
        if (abort.isSet()) {
            aborted();
        }
        return () -> remove(registration);
    }

    @SuppressWarnings("ReferenceEquality") // the same registration; a hook may be registered twice
    private synchronized void remove(Registration registration) {
        List<CommunicatorHook> fewer = new ArrayList<>(List.of(hooks));
        fewer.removeIf(one -> one == registration);
        hooks = fewer.toArray(CommunicatorHook[]::new);
    }

    /** An operation is about to be enqueued. */
    public void before(OperationDescription operation) {
        tell(hook -> hook.beforeOperation(operation));
    }

    /** An operation was enqueued. */
    public void after(OperationDescription operation, long sequence) {
        tell(hook -> hook.afterOperation(operation, sequence));
    }

    /** This rank has taken part in a split. */
    public void split(List<Integer> ranks, String child) {
        tell(hook -> hook.onSplit(ranks, child));
    }

    /** A window was opened. */
    public void opened(long bytes) {
        tell(hook -> hook.onWindow(bytes));
    }

    /** The communicator is closed. */
    public void closing() {
        tell(CommunicatorHook::onClose);
    }

    private void replayed(long sequence) {
        if (!isEmpty()) {
            tell(hook -> hook.onReplay(sequence));
        }
    }

    /** In a thread of its own: whoever sets the word must not wait for hooks. */
    private void aborted() {
        if (!isEmpty()) {
            String reason = abort.reason().orElse("no reason given");
            Thread.ofPlatform().daemon().name("mscclj-hooks").start(() -> tell(hook -> hook.onAbort(reason)));
        }
    }

    private void tell(Consumer<CommunicatorHook> call) {
        for (CommunicatorHook hook : hooks) {
            try {
                call.accept(hook);
            } catch (RuntimeException | Error e) {
                LOGGER.log(Level.WARNING, "hook " + name(hook) + " failed; the operation goes on", e);
            }
        }
    }

    /** A hook's own words may fail like the rest of it. */
    private static String name(CommunicatorHook hook) {
        try {
            return String.valueOf(hook);
        } catch (RuntimeException | Error e) {
            return "whose toString fails, too, with " + e.getClass().getName();
        }
    }

    /** Tells one addition of a hook from another. */
    private static final class Registration implements CommunicatorHook {
        private final CommunicatorHook hook;

        /** Who is added while the flag is set would be told from both sides. */
        private final AtomicBoolean toldOfAbort = new AtomicBoolean();

        Registration(CommunicatorHook hook) {
            this.hook = hook;
        }

        @Override
        public void beforeOperation(OperationDescription operation) {
            hook.beforeOperation(operation);
        }

        @Override
        public void afterOperation(OperationDescription operation, long sequence) {
            hook.afterOperation(operation, sequence);
        }

        @Override
        public void onReplay(long sequence) {
            hook.onReplay(sequence);
        }

        @Override
        public void onSplit(List<Integer> ranks, String child) {
            hook.onSplit(ranks, child);
        }

        @Override
        public void onWindow(long bytes) {
            hook.onWindow(bytes);
        }

        @Override
        public void onClose() {
            hook.onClose();
        }

        @Override
        public void onAbort(String reason) {
            if (toldOfAbort.compareAndSet(false, true)) {
                hook.onAbort(reason);
            }
        }

        @Override
        public String toString() {
            return hook.toString();
        }
    }
}
