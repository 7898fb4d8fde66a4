package org.mscclj.runtime.collective;

import org.mscclj.runtime.signature.CallSignature;
import org.mscclj.runtime.signature.Places;

/**
 * Calls of one kind are set up once. It is equal on all ranks for the same call: the shape must be, and so must the
 * places.
 *
 * @param places where the buffers lie
 * @param registryChanges how often the communicator's registry of plans had changed
 */
record CallKind(CallShape shape, Places places, long registryChanges) {
    /** What ranks compare. */
    CallSignature signature() {
        return shape.signature(places);
    }
}
