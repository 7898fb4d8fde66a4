package org.mscclj.spi.device;

/**
 * The requirements of a group of ranks on a backend.
 *
 * @param processes whether peers are in other processes: memory must then be of a kind that other processes can map
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
