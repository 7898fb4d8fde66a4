package org.mscclj.runtime.recorder;

import java.time.Instant;
import java.util.Optional;
import org.mscclj.api.hook.OperationDescription;

/**
 * A launch, as somebody who looked saw it.
 *
 * @param sequence position among the communicator's launches, from 1
 * @param description what was launched
 * @param state how far it is
 * @param enqueued when it was enqueued
 * @param seenStarted when somebody who looked first saw it begun; empty if nobody has
 * @param seenEnded when somebody who looked first saw it ended; empty if nobody has
 */
public record RecordedLaunch(
        long sequence,
        OperationDescription description,
        LaunchState state,
        Instant enqueued,
        Optional<Instant> seenStarted,
        Optional<Instant> seenEnded) {}
