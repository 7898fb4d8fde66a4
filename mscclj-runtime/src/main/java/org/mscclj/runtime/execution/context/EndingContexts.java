package org.mscclj.runtime.execution.context;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.Exchange;
import org.mscclj.runtime.control.Message;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.control.TopicKind;
import org.mscclj.runtime.resource.Resources;

/** Ends contexts that no kind of calls uses any more, on all ranks together. Used by one thread at a time. */
public final class EndingContexts implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(EndingContexts.class.getName());

    private final ControlPlane control;

    /** Contexts that no call asks for any more, but that peers may still reach. */
    private final List<KindContext> ending = new ArrayList<>();

    /** Creates an object without contexts. */
    public EndingContexts(ControlPlane control) {
        this.control = control;
    }

    /**
     * Closes those of the given contexts of which no rank has an operation open. Collective if there are any.
     *
     * @param unused contexts that no kind uses; equal on all ranks, in this order
     * @param forgetting removes the contexts that end from those that calls can use
     */
    public <C extends KindContext> void end(List<C> unused, Consumer<List<C>> forgetting) {
        if (unused.isEmpty()) {
            return;
        }
        List<C> ended = idleOnAllRanks(unused);
        if (ended.isEmpty()) {
            return;
        }
        forgetting.accept(ended);
        ending.addAll(ended);
        // No launch is in flight, but proxies may still carry out triggers, which write to peers' memory.
        Exchange.gather(control, Topic.of(TopicKind.STOP_CONTEXTS, ended.size()), () -> {
            ended.forEach(KindContext::stop);
            return new byte[0];
        });
        ending.removeAll(ended);
        try {
            Resources.close(ended);
        } catch (RuntimeException e) {
            // The other ranks go on, and this rank with them: calls of all ranks do not need these contexts any more.
            LOGGER.log(Level.WARNING, "rank " + control.rank() + " has not closed all of a context that has ended", e);
        }
    }

    private <C extends KindContext> List<C> idleOnAllRanks(List<C> unused) {
        List<Message> ranks = Exchange.gather(control, Topic.of(TopicKind.IDLE_CONTEXTS, unused.size()), () -> {
            byte[] idle = new byte[unused.size()];
            for (int i = 0; i < idle.length; i++) {
                idle[i] = (byte) (unused.get(i).isIdle() ? 1 : 0);
            }
            return idle;
        });
        List<C> ended = new ArrayList<>(unused);
        for (int i = unused.size() - 1; i >= 0; i--) {
            for (Message rank : ranks) {
                byte[] idle = rank.bytes();
                if (idle[i] == 0) {
                    ended.remove(unused.get(i));
                }
            }
        }
        return ended;
    }

    /** Closes the contexts whose end has failed. Every rank's launches must have ended. */
    @Override
    public void close() {
        List<KindContext> all = List.copyOf(ending);
        ending.clear();
        Resources.close(all);
    }
}
