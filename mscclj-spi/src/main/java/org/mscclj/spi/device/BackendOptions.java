package org.mscclj.spi.device;

/**
 * What a group of ranks needs of a backend.
 *
 * @param processes whether peers live in other processes: memory must then be of a kind that these can map
 */
public record BackendOptions(boolean processes) {
    /** All ranks are threads of this process. */
    public static BackendOptions threads() {
        return new BackendOptions(false);
    }

    /** Ranks are in several processes. */
    public static BackendOptions separateProcesses() {
        return new BackendOptions(true);
    }
}
