package org.mscclj.runtime.execution;

import java.util.function.Function;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.Exchange;
import org.mscclj.runtime.control.Topic;

/**
 * Something that ranks set up together in stages. Each rank describes its part, in one exchange with whatever else the
 * ranks agree on; then all finish. So independent parts of a set-up travel together.
 *
 * @param <T> what is set up
 */
public interface Staged<T> {
    /** Makes this rank's part, and describes it to the others; may throw, which fails on every rank. */
    byte[] describe();

    /**
     * Finishes. Collective.
     *
     * @param described what each rank has described
     */
    T finish(byte[][] described);

    /** Frees what there is, after a stage has failed on some rank; adds what fails meanwhile to the cause. */
    void abandon(Throwable cause);

    /** Goes through all stages. Collective. */
    static <T> T together(ControlPlane control, Topic topic, Staged<T> staged) {
        try {
            return staged.finish(Exchange.gather(control, topic, staged::describe));
        } catch (RuntimeException | Error e) {
            staged.abandon(e);
            throw e;
        }
    }

    /** The same, of which something is made in the end, which must not fail. */
    default <R> Staged<R> then(Function<T, R> making) {
        Staged<T> first = this;
        return new Staged<>() {
            @Override
            public byte[] describe() {
                return first.describe();
            }

            @Override
            public R finish(byte[][] described) {
                return making.apply(first.finish(described));
            }

            @Override
            public void abandon(Throwable cause) {
                first.abandon(cause);
            }
        };
    }
}
