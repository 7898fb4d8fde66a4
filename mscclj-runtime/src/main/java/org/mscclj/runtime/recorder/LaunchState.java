package org.mscclj.runtime.recorder;

/** Progress of a launch. */
public enum LaunchState {
    /** It waits for its turn. */
    ENQUEUED,
    /** It is at work. */
    STARTED,
    /** It has ended. */
    COMPLETED,
    /** It had not ended when the communicator was aborted, or lost a rank. */
    FAILED,
    /** The state is unknown: the device fails, or does not answer. */
    UNKNOWN
}
