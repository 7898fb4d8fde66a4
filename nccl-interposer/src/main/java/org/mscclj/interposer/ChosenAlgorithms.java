package org.mscclj.interposer;

import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Map;
import org.mscclj.api.Communicator;

/**
 * Logs which algorithm serves the calls of the program, for {@code MSCCLJ_DEBUG=selection}: at the first call of each
 * collective and power of two of bytes, and whenever that changes.
 */
final class ChosenAlgorithms {
    private static final System.Logger LOGGER = System.getLogger(ChosenAlgorithms.class.getName());

    private final Communicator communicator;
    private final Map<SizedCall, String> known = new HashMap<>();

    private record SizedCall(String call, int magnitude) {}

    ChosenAlgorithms(Communicator communicator) {
        this.communicator = communicator;
    }

    /**
     * Logs a call, if that is on and the algorithm is new.
     *
     * @param call the collective
     */
    void launched(Object call, long bytes, String algorithm) {
        if (!ProgramLogs.SELECTIONS) {
            return;
        }
        SizedCall sized = new SizedCall(call.toString(), Long.SIZE - Long.numberOfLeadingZeros(bytes));
        if (!algorithm.equals(known.put(sized, algorithm))) {
            LOGGER.log(
                    Level.INFO,
                    "rank " + communicator.rank() + " of " + communicator.size() + ", " + communicator.name() + ": "
                            + call + " of " + bytes + " bytes is served by " + algorithm);
        }
    }
}
