package org.mscclj.api.tuning;

import java.util.Objects;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * What choices were measured on. Communicators follow choices of their own backend, device, number of ranks and
 * topology only. Driver and version may differ: then the communicator follows them, and says so in its log and where it
 * {@linkplain org.mscclj.api.Communicator#explain explains} a choice.
 *
 * @param backend the name of the backend
 * @param device the kind of device, equal on all ranks: the name of the GPU, or the CPU
 * @param ranks number of ranks, all of one node
 * @param topology how the ranks reach each other
 * @param driver the version of the device's driver, or of the Java virtual machine on the CPU
 * @param version the version of mscclj
 */
public record TuningKey(
        String backend, String device, int ranks, TuningTopology topology, String driver, String version) {
    /** Checks that nothing is null, and the number of ranks. */
    public TuningKey {
        Objects.requireNonNull(backend, "backend");
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(topology, "topology");
        Objects.requireNonNull(driver, "driver");
        Objects.requireNonNull(version, "version");
        if (ranks < 2) {
            throw InvalidArgumentException.of("ranks", ranks, "2 or more");
        }
    }

    /** Returns whether choices of one key may serve communicators of the other one. */
    public boolean isSameHardware(TuningKey other) {
        return backend.equals(other.backend)
                && device.equals(other.device)
                && ranks == other.ranks
                && topology == other.topology;
    }

    /** Describes the key in words. */
    @Override
    public String toString() {
        return ranks + " ranks of backend " + backend + " on " + device + ", " + topology + ", driver " + driver
                + ", mscclj " + version;
    }
}
