package org.mscclj.runtime.execution.lane;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.spi.transfer.Transfer;
import org.mscclj.spi.transfer.TransferSpec;

/**
 * Describes a batch of point-to-point transfers by what this rank does. The string names the first of them.
 *
 * @param spec the batch
 */
record MessageWords(TransferSpec spec) {
    private static final int MAX_REPORTED = 3;

    /** Returns the description for hooks of transfers of this rank alone. */
    OperationDescription description(String algorithm) {
        return new OperationDescription("messages", "", "", -1, bytes(), false, algorithm);
    }

    /** Returns the description for hooks of this rank's transfers in a collective. */
    OperationDescription description(PartWords words) {
        return words.description(bytes());
    }

    private long bytes() {
        long bytes = 0;
        for (Transfer transfer : spec.transfers()) {
            bytes += transfer.bytes();
        }
        for (TransferSpec.LocalCopy copy : spec.copies()) {
            bytes += copy.bytes();
        }
        return bytes;
    }

    /** Returns, for example, "send 4096 bytes to rank 2, receive 16 bytes from rank 1". */
    @Override
    public String toString() {
        List<String> words = new ArrayList<>();
        for (Transfer transfer : spec.transfers()) {
            words.add(transfer.toString());
        }
        for (TransferSpec.LocalCopy copy : spec.copies()) {
            words.add("send " + copy.bytes() + " bytes to itself");
        }
        if (words.isEmpty()) {
            return "no messages";
        }
        int told = Math.min(MAX_REPORTED, words.size());
        return String.join(", ", words.subList(0, told))
                + (words.size() > told ? ", and " + (words.size() - told) + " messages more" : "");
    }
}
