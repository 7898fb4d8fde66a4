package org.mscclj.runtime.collective;

import org.mscclj.runtime.selection.CallDescriptor;
import org.mscclj.runtime.signature.BufferLocations;
import org.mscclj.runtime.signature.CallSignature;
import org.mscclj.spi.engine.SumForm;

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
     * Returns whether peers may access the memory on which a plan works: buffers at equal locations, or addends, whose
     * memory is shared for this purpose.
     *
     * @param samePlaces whether the buffers of all ranks have these locations
     */
    boolean mayAccessBuffers(int ranks, boolean samePlaces) {
        return SumForm.isFor(shape.op().kind(), ranks) || (samePlaces && places.areRegistered());
    }

    /** Returns the signature that ranks compare. */
    CallSignature signature() {
        return shape.signature(places);
    }
}
