package org.mscclj.runtime.collective;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.CollectiveCall;
import org.mscclj.runtime.execution.context.KindContext;
import org.mscclj.runtime.execution.operation.PreparedCall;
import org.mscclj.runtime.selection.AlgorithmSelection;
import org.mscclj.runtime.selection.Choice;
import org.mscclj.runtime.selection.RegisteredAlgorithms;

/**
 * The calls that need no set-up, because their class and the algorithm of their size are set up. Each rank finds that
 * out alone, and all ranks alike. Used by one thread at a time.
 */
final class KnownCalls {
    private final PlacedCalls calls;
    private final ClassCache classes;
    private final AlgorithmSelection selection;
    private final PeerMapping mapping;
    private final Registrations registrations;
    private final RegisteredAlgorithms registry;
    private final RecentCalls recent;

    KnownCalls(
            PlacedCalls calls,
            ClassCache classes,
            AlgorithmSelection selection,
            PeerMapping mapping,
            Registrations registrations,
            RegisteredAlgorithms registry) {
        this.calls = calls;
        this.classes = classes;
        this.selection = selection;
        this.mapping = mapping;
        this.registrations = registrations;
        this.registry = registry;
        this.recent = new RecentCalls(classes);
    }

    /**
     * Returns the operation that runs a call; null if the ranks must set it up, or if the call is not well formed,
     * which the ranks find out together. Allocates nothing if an equal call was made recently.
     */
    @Nullable
    PreparedCall find(CollectiveCall call, boolean part) {
        long version = version();
        PreparedCall same = part ? null : recent.find(call, version);
        return same == null ? findClass(call, part, version) : same;
    }

    private @Nullable PreparedCall findClass(CollectiveCall call, boolean part, long version) {
        PlacedCall kind = calls.orNull(call, part);
        if (kind == null) {
            return null;
        }
        SizedLaunches sizes = classes.get(kind.callClass());
        if (sizes == null) {
            return null;
        }
        CachedLaunch launch = launchOf(sizes, kind);
        if (launch == null) {
            return null;
        }
        PreparedCall operation = launch.on(call, kind);
        if (!part) {
            recent.put(call, version, sizes, launch, operation);
        }
        return operation;
    }

    /** Returns a number that changes when a buffer may have another location, or a call another class. */
    private long version() {
        return registrations.changes() + registry.changes(); // both only grow
    }

    /** Returns whether a call needs no set-up. */
    boolean isSetUp(CollectiveCall call, boolean part) {
        PlacedCall kind = calls.orNull(call, part);
        if (kind == null) {
            return false;
        }
        SizedLaunches sizes = classes.get(kind.callClass());
        return sizes != null && launchOf(sizes, kind) != null;
    }

    private @Nullable CachedLaunch launchOf(SizedLaunches sizes, PlacedCall kind) {
        return sizes.find(
                selection.step(kind.shape()),
                kind.shape().sliceBytes(),
                () -> selection.choose(kind.shape(), kind.isRegistered(true), mapping.obstacles()));
    }

    /** Returns whether an algorithm is set up for the class of a call, for calls that are smaller than it. */
    boolean hasAlgorithm(PlacedCall kind, Choice choice) {
        SizedLaunches sizes = classes.get(kind.callClass());
        return sizes != null && sizes.of(choice) != null;
    }

    /** Adds what the ranks have set up for a call. */
    void put(PlacedCall kind, CachedLaunch launch) {
        classes.put(kind.callClass(), selection.step(kind.shape()), launch);
    }

    /** Ends the classes of calls that use some contexts; equal on all ranks. */
    void forget(Set<? extends KindContext> ended) {
        classes.forget(ended);
    }

    /** Returns the contexts in which calls that need no set-up run. */
    Set<KindContext> contexts() {
        return classes.contexts();
    }
}
