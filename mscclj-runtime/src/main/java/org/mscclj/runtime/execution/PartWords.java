package org.mscclj.runtime.execution;

import org.mscclj.api.TransferCall;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.runtime.signature.LaunchSignature;

/**
 * Describes a collective that consists of messages. Its string is equal on all ranks that make the same call, whatever
 * messages they have in it.
 *
 * @param part what the messages are part of
 * @param type of the elements, in words; empty if nobody has said it
 * @param algorithm what moves the messages
 */
record PartWords(TransferCall.PartOf part, String type, String algorithm) {
    /**
     * What hooks are told.
     *
     * @param bytes what this rank moves
     */
    OperationDescription description(long bytes) {
        return new OperationDescription(part.operation(), type, "", part.root(), bytes, false, algorithm);
    }

    /** For example "gather of int32 parts, root 2, by point_to_point". */
    @Override
    public String toString() {
        return LaunchSignature.ofMessages(description(0)).describe();
    }
}
