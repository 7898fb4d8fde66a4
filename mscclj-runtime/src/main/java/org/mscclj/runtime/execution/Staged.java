package org.mscclj.runtime.execution;

import java.util.List;
import java.util.function.Function;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.Exchange;
import org.mscclj.runtime.control.Message;
import org.mscclj.runtime.control.Topic;

/**
 * A set-up that ranks carry out together in stages. Each rank describes its part, in one exchange with other data that
 * the ranks agree on; then all ranks finish. So independent parts of a set-up travel together.
 *
 * @param <T> the result of the set-up
 */
public interface Staged<T> {
    /**
     * Creates this rank's part and returns its description for the other ranks. If it throws, the set-up fails on every
     * rank.
     */
    byte[] describe();

    /**
     * Finishes the set-up. Collective.
     *
     * @param described the description of each rank
     */
    T finish(List<Message> described);

    /** Frees all resources after a stage has failed on some rank. Adds further failures to the cause. */
    void abandon(Throwable cause);

    /** Runs all stages. Collective. */
    static <T> T together(ControlPlane control, Topic topic, Staged<T> staged) {
        try {
            return staged.finish(Exchange.gather(control, topic, staged::describe));
        } catch (RuntimeException | Error e) {
            staged.abandon(e);
            throw e;
        }
    }

    /**
     * Returns a set-up with these stages that makes its result from the result of this one. The function must not fail.
     */
    default <R> Staged<R> then(Function<T, R> making) {
        Staged<T> first = this;
        return new Staged<>() {
            @Override
            public byte[] describe() {
                return first.describe();
            }

            @Override
            public R finish(List<Message> described) {
                return making.apply(first.finish(described));
            }

            @Override
            public void abandon(Throwable cause) {
                first.abandon(cause);
            }
        };
    }
}
