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
 * The hooks of a communicator on one rank. Safe for use by several threads; without hooks, {@link #isEmpty} costs one
 * read.
 */
public final class RankHooks {
    private static final System.Logger LOGGER = System.getLogger(RankHooks.class.getName());

    private final AbortFlag abort;
    private volatile CommunicatorHook[] hooks = {};

    /** Creates an empty list of hooks, which will be called for aborts and replays. */
    public RankHooks(LaunchOrder order, AbortFlag abort) {
        this.abort = abort;
        order.whenReplayed(this::replayed);
        abort.whenSet(this::aborted);
    }

    /** Returns whether there are no hooks. */
    public boolean isEmpty() {
        return hooks.length == 0;
    }

    /**
     * Adds a hook, which is called after the hooks before it. If the communicator has ended before, the hook is called
     * for that end, too.
     */
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

    @SuppressWarnings("ReferenceEquality") // compares identities of registrations; a hook may be registered twice
    private synchronized void remove(Registration registration) {
        List<CommunicatorHook> fewer = new ArrayList<>(List.of(hooks));
        fewer.removeIf(one -> one == registration);
        hooks = fewer.toArray(CommunicatorHook[]::new);
    }

    /** Calls the hooks before an operation is enqueued. */
    public void before(OperationDescription operation) {
        tell(hook -> hook.beforeOperation(operation));
    }

    /** Calls the hooks after an operation was enqueued. */
    public void after(OperationDescription operation, long sequence) {
        tell(hook -> hook.afterOperation(operation, sequence));
    }

    /** Calls the hooks after this rank has taken part in a split. */
    public void split(List<Integer> ranks, String child) {
        tell(hook -> hook.onSplit(ranks, child));
    }

    /** Calls the hooks after a window was opened. */
    public void opened(long bytes) {
        tell(hook -> hook.onWindow(bytes));
    }

    /** Calls the hooks when the communicator is closed. */
    public void closing() {
        tell(CommunicatorHook::onClose);
    }

    private void replayed(long sequence) {
        if (!isEmpty()) {
            tell(hook -> hook.onReplay(sequence));
        }
    }

    /** Calls the hooks in a separate thread: the thread that sets the abort word must not wait for them. */
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

    /** Returns the hook's string. Its {@code toString} may fail like its other methods. */
    private static String name(CommunicatorHook hook) {
        try {
            return String.valueOf(hook);
        } catch (RuntimeException | Error e) {
            return "whose toString fails, too, with " + e.getClass().getName();
        }
    }

    /** Distinguishes additions of one hook. */
    private static final class Registration implements CommunicatorHook {
        private final CommunicatorHook hook;

        /**
         * Whether the hook was called for the abort. Two threads would call a hook that is added while the flag is set.
         */
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
