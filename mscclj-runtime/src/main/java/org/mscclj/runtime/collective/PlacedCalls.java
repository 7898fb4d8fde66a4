package org.mscclj.runtime.collective;

import org.jspecify.annotations.Nullable;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.selection.CallDescriptor;
import org.mscclj.runtime.selection.RegisteredAlgorithms;
import org.mscclj.runtime.signature.BufferLocation;
import org.mscclj.runtime.signature.BufferLocations;
import org.mscclj.runtime.signature.Role;

/**
 * Finds the descriptor of a call, and the locations of its buffers. A <em>part</em> is a call of a variable-size
 * reduce-scatter, whose buffers may lie anywhere.
 */
final class PlacedCalls {
    private final ExecutionEnvironment environment;
    private final CallValidation rules;
    private final Registrations registrations;
    private final RegisteredAlgorithms registry;
    private final StreamBarriers barriers;

    PlacedCalls(
            ExecutionEnvironment environment,
            Registrations registrations,
            RegisteredAlgorithms registry,
            StreamBarriers barriers) {
        this.environment = environment;
        this.rules = new CallValidation(environment.arguments(), environment.hints());
        this.registrations = registrations;
        this.registry = registry;
        this.barriers = barriers;
    }

    private CallDescriptor descriptor(CollectiveCall call, boolean part) {
        CallDescriptor shape = rules.shapeOf(call);
        if (part) {
            return shape.as(Role.PART);
        }
        return barriers.isBarrier(call) ? shape.as(Role.BARRIER) : shape;
    }

    /**
     * Returns a call with its locations.
     *
     * @param plain whether its buffers count as plain memory wherever they lie
     * @throws InvalidArgumentException if the call is not well formed, or a buffer is closed
     */
    PlacedCall checked(CollectiveCall call, boolean part, boolean plain) {
        for (DeviceBuffer buffer : new DeviceBuffer[] {call.input(), call.output()}) {
            environment.device().retain(buffer); // throws if the buffer is closed, or of another backend
            environment.device().release(buffer);
        }
        return of(call, part, plain);
    }

    /** Returns a call with its locations; null if it is not well formed. Does not look whether buffers are closed. */
    @Nullable
    PlacedCall orNull(CollectiveCall call, boolean part) {
        try {
            return of(call, part, part);
        } catch (InvalidArgumentException refused) {
            return null;
        }
    }

    private PlacedCall of(CollectiveCall call, boolean part, boolean plain) {
        CallDescriptor shape = descriptor(call, part);
        if (plain || shape.sliceBytes() == 0) {
            return new PlacedCall(shape, BufferLocations.PLAIN, registry.changes());
        }
        if (shape.inPlace()) {
            BufferLocation place = registrations.placeOf(CallValidation.larger(call));
            return new PlacedCall(shape, new BufferLocations(place, place), registry.changes());
        }
        return new PlacedCall(
                shape,
                new BufferLocations(registrations.placeOf(call.input()), registrations.placeOf(call.output())),
                registry.changes());
    }

    /** Returns the name of a call for messages. */
    String name(CollectiveCall call, boolean part) {
        try {
            return descriptor(call, part).toString();
        } catch (InvalidArgumentException refused) {
            return "a call that is refused";
        }
    }

    /** Returns what this rank does while other ranks launch a call that was set up before. */
    String complaint(CollectiveCall call, boolean part) {
        try {
            return "makes a call that was not set up, "
                    + checked(call, part, part).shape();
        } catch (InvalidArgumentException refused) {
            return "refuses its call (" + refused.getMessage() + ")";
        }
    }
}
