package org.mscclj.spi.engine;

import java.util.Optional;
import java.util.function.Supplier;
import org.mscclj.api.error.MsccljException;

/**
 * The data that an engine needs to launch work of another library on one rank.
 *
 * @param library the name of the library, for messages
 * @param rank this rank
 * @param order the order of launches that this context shares with the communicator's other contexts
 * @param abort the communicator's abort word; its setting must end the library's work in flight
 * @param failure the failure of the library after which its work ends without a result; empty while it works. The
 *     engine then aborts the communicator. Any thread may ask. The answer neither blocks nor, without a failure,
 *     allocates
 * @param owned what the work needs; the context closes it when its launches have ended and no graph has one
 */
public record ForeignSpec(
        String library,
        int rank,
        LaunchOrder order,
        AbortFlag abort,
        Supplier<? extends Optional<? extends MsccljException>> failure,
        AutoCloseable owned) {}
