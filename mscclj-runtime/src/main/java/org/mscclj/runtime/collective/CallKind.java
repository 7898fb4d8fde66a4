package org.mscclj.runtime.collective;

import org.mscclj.runtime.signature.CallSignature;
import org.mscclj.runtime.signature.Places;

/**
 * The kind of a call. Calls of one kind are set up once. The kind of a call is equal on all ranks, because its shape
 * and the locations of its buffers must be.
 *
 * @param places the locations of the buffers
 * @param registryChanges the number of changes of the communicator's plan registry before the call
 */
record CallKind(CallShape shape, Places places, long registryChanges) {
    /** Returns the signature that ranks compare. */
    CallSignature signature() {
        return shape.signature(places);
    }
}
