package org.mscclj.runtime.fallback;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mscclj.runtime.control.Exchange;
import org.mscclj.runtime.control.Message;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.control.TopicKind;
import org.mscclj.runtime.execution.Staged;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.fallback.FallbackProvider;

/**
 * This rank's part in setting a class of calls up for the fallback. The first one opens its communicator: rank 0
 * creates the id, which travels with the choice of the algorithm, and each rank opens while the others do.
 *
 * @param <T> what is made of it
 */
final class StagedFallback<T> implements Staged<T> {
    private static final byte[] NOTHING = {};

    private final RankFallback fallback;
    private final FallbackProvider provider;
    private final FallbackCall call;
    private final Supplier<T> making;
    private final Consumer<T> undoing;
    private final List<T> made = new ArrayList<>();
    private @Nullable OpenedFallback opening;
    private @Nullable FirstCall first;

    StagedFallback(
            RankFallback fallback,
            FallbackProvider provider,
            FallbackCall call,
            Supplier<T> making,
            Consumer<T> undoing) {
        this.fallback = fallback;
        this.provider = provider;
        this.call = call;
        this.making = making;
        this.undoing = undoing;
    }

    @Override
    public byte[] describe() {
        boolean creates =
                fallback.opened() == null && fallback.environment().control().rank() == 0;
        return creates ? provider.createId() : NOTHING;
    }

    @Override
    public T finish(List<Message> described) {
        OpenedFallback opened = opened(described.getFirst());
        if (!opened.isReady(call)) {
            makeReady(opened);
        }
        exchange(
                TopicKind.FALLBACK_CALL,
                () -> { // here, so that a failure on one rank is a failure on all
                    closeFirst();
                    made.add(making.get());
                });
        return made.getFirst();
    }

    private void closeFirst() {
        FirstCall ended = first;
        if (ended != null) {
            first = null;
            ended.close();
        }
    }

    /**
     * Carries out the first call of a collective with this root. Memory comes before: a rank without it must not leave
     * others alone.
     */
    private void makeReady(OpenedFallback opened) {
        exchange(TopicKind.FIRST_CALL_MEMORY, () -> first = FirstCall.allocate(fallback.environment(), call));
        FirstCall allocated = Objects.requireNonNull(first, "allocated on each rank");
        exchange(TopicKind.FIRST_CALL, () -> allocated.run(opened.communicator(), provider.name(), fallback.limit()));
        opened.ready(call);
    }

    private OpenedFallback opened(Message id) {
        OpenedFallback known = fallback.opened();
        if (known != null) {
            return known;
        }
        exchange(
                TopicKind.OPEN_FALLBACK,
                () -> opening = OpenedFallback.open(fallback.environment(), provider, id.bytes(), fallback.limit()));
        OpenedFallback made = Objects.requireNonNull(opening, "opened on each rank");
        fallback.opened(made); // from here on the communicator closes it
        opening = null;
        return made;
    }

    /** Does something on all ranks, and fails on all of them if it fails on one. */
    private void exchange(TopicKind step, Runnable doing) {
        Exchange.gather(fallback.environment().control(), Topic.of(step, provider.name()), () -> {
            doing.run();
            return NOTHING;
        });
    }

    @Override
    public void abandon(Throwable cause) {
        made.forEach(one -> Resources.closeSuppressing(List.of(() -> undoing.accept(one)), cause));
        Resources.closeSuppressing(List.of(this::closeFirst), cause);
        OpenedFallback alone = opening;
        if (alone != null) {
            alone.abandon(cause);
        }
    }
}
