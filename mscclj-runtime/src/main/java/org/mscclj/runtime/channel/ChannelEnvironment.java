package org.mscclj.runtime.channel;

import java.time.Duration;
import org.mscclj.api.error.RankLostException;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.proxy.ProxyAgent;
import org.mscclj.runtime.transport.RankLinks;
import org.mscclj.runtime.transport.RankTransports;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.engine.AbortFlag;

/**
 * What channels need of a communicator, on one rank. Nothing of it is closed with them.
 *
 * @param control how ranks talk
 * @param device the rank's device
 * @param links the rank's transports and proxy
 * @param abort the communicator's abort word
 * @param timeout how long a full ring may stay full
 */
public record ChannelEnvironment(
        ControlPlane control, BackendDevice device, RankLinks links, AbortFlag abort, Duration timeout) {
    RankTransports transports() {
        return links.transports();
    }

    ProxyAgent proxy() {
        return links.proxy();
    }

    /** The agent into whose ring kernels push. Only for devices that push triggers. */
    ProxyAgent deviceProxy() {
        return links.deviceProxy();
    }

    /** What a wait throws whose peer has closed its communicator. */
    static RankLostException closed(int peer, String what) {
        return new RankLostException(
                peer,
                "this rank waited for " + what + ": rank " + peer
                        + " has closed its communicator, and sends nothing any more");
    }

    /** Throws if the communicator is aborted or has lost a rank; {@code doing} says what this rank was doing. */
    void requireNotAborted(String doing) {
        if (abort.isSet()) {
            throw abort.exception("this rank " + doing);
        }
    }
}
