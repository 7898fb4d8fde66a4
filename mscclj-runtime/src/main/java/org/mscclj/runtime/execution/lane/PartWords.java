package org.mscclj.runtime.execution.lane;

import org.mscclj.api.TransferCall;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.runtime.signature.LaunchSignature;

/**
 * Describes a collective that consists of point-to-point transfers. The string is equal on all ranks that make an equal
 * call, whatever their transfers in it are.
 *
 * @param part the collective to which the transfers belong
 * @param type name of the element type; empty if the call does not name one
 * @param algorithm name of the algorithm that carries the transfers out
 */
record PartWords(TransferCall.PartOf part, String type, String algorithm) {
    /**
     * Returns the description for hooks.
     *
     * @param bytes bytes that this rank moves
     */
    OperationDescription description(long bytes) {
        return new OperationDescription(part.operation(), type, "", part.root(), bytes, false, algorithm);
    }

    /** Returns, for example, "gather of int32 parts, root 2, by point_to_point". */
    @Override
    public String toString() {
        return LaunchSignature.ofMessages(description(0)).describe();
    }
}
