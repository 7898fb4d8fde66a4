package org.mscclj.runtime.collective;

import org.mscclj.runtime.selection.CallDescriptor;
import org.mscclj.runtime.signature.BufferLocations;
import org.mscclj.runtime.signature.CallSignature;

/**
 * A call without the addresses of its buffers and without its factor. Equal on all ranks, because the shape of a call
 * and the locations of its buffers must be.
 *
 * @param places the locations of the buffers
 * @param registryChanges the number of changes of the communicator's plan registry before the call
 */
record PlacedCall(CallDescriptor shape, BufferLocations places, long registryChanges) {
    /** Returns the class of the call. */
    CallClass callClass() {
        return new CallClass(
                shape.collective(),
                shape.type(),
                shape.op(),
                shape.root(),
                shape.inPlace(),
                shape.algorithm(),
                shape.arguments(),
                shape.role(),
                places.input().allocation(),
                places.output().allocation(),
                registryChanges);
    }

    /**
     * Returns whether both buffers are registered, at equal locations on all ranks.
     *
     * @param samePlaces whether the buffers of all ranks have these locations
     */
    boolean isRegistered(boolean samePlaces) {
        return samePlaces && places.areRegistered();
    }

    /** Returns the signature that ranks compare. */
    CallSignature signature() {
        return shape.signature(places);
    }
}
