package org.mscclj.runtime.collective;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.algorithm.NativeArguments;
import org.mscclj.runtime.execution.binding.CallSetup;
import org.mscclj.runtime.execution.context.KindContext;
import org.mscclj.runtime.execution.operation.PreparedCall;
import org.mscclj.runtime.selection.Choice;

/**
 * An algorithm that was set up for calls of a class, and the operations that bind it to buffers, a size and a factor of
 * this rank. Each rank decides alone which operations it keeps, because binding needs no peer.
 */
final class CachedLaunch {
    private static final int MAX_BINDINGS = 128;

    /** Makes an operation for a call. */
    @FunctionalInterface
    interface Binder {
        PreparedCall bind(CollectiveCall call, PlacedCall kind);
    }

    /**
     * The arguments of a binding, with those of a native algorithm. A factor in memory is identified by its address;
     * the address is 0 for any other factor.
     */
    private record Arguments(
            long input, long output, long bytes, double factor, long factorAddress, NativeArguments arguments) {
        static Arguments of(CollectiveCall call, PlacedCall kind) {
            long factorAddress =
                    call.op().memory().isPresent() ? call.op().memory().get().address() : 0;
            return new Arguments(
                    call.input().address(),
                    call.output().address(),
                    kind.shape().sliceBytes(),
                    call.op().factor(),
                    factorAddress,
                    call.arguments());
        }
    }

    private final Choice choice;
    private final CallSetup setup;
    private final Binder binder;
    private final PendingClose retirement;
    private final Map<Arguments, PreparedCall> bindings = new LinkedHashMap<>(16, 0.75f, true);
    private boolean retired;

    CachedLaunch(Choice choice, CallSetup setup, Binder binder, PendingClose retirement) {
        this.choice = choice;
        this.setup = setup;
        this.binder = binder;
        this.retirement = retirement;
    }

    /** Returns the algorithm that was set up. */
    Choice choice() {
        return choice;
    }

    /** Returns whether slices of a size need no set-up of their own; equal on all ranks. */
    boolean serves(long sliceBytes) {
        return sliceBytes <= setup.capacity();
    }

    /** Returns the operation that runs a call. Not collective. */
    PreparedCall on(CollectiveCall call, PlacedCall kind) {
        Arguments arguments = Arguments.of(call, kind);
        PreparedCall known = bindings.get(arguments);
        if (known != null && !known.isClosed()) {
            return known;
        }
        PreparedCall bound = binder.bind(call, kind); // a closed one was for earlier buffers at these addresses
        bindings.put(arguments, bound);
        forgetEldest();
        return bound;
    }

    private void forgetEldest() {
        if (bindings.size() > MAX_BINDINGS) {
            Iterator<PreparedCall> eldest = bindings.values().iterator();
            PreparedCall forgotten = eldest.next();
            eldest.remove();
            retirement.add(forgotten);
        }
    }

    /** Returns the context of the calls; empty if they have none of their own. Equal on all ranks. */
    Optional<KindContext> kindContext() {
        return setup.kindContext();
    }

    /**
     * Ends the use of this object: hands over its prepared operations, which are closed when their launches have ended.
     */
    void retire() {
        retired = true;
        bindings.values().forEach(retirement::add);
        bindings.clear();
        setup.retire();
    }

    /** Returns whether {@link #retire} was called; equal on all ranks. */
    boolean isRetired() {
        return retired;
    }

    /** Closes the prepared operations, of which none was launched, because another rank could not set them up. */
    void abandon() {
        bindings.values().forEach(PreparedCall::close);
        bindings.clear();
        setup.retire();
    }
}
