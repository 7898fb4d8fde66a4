package org.mscclj.runtime.channel;

import java.time.Duration;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.runtime.control.ClosedPeer;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.proxy.ProxyAgent;
import org.mscclj.runtime.transport.RankLinks;
import org.mscclj.runtime.transport.RankTransports;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.engine.AbortFlag;

/**
 * What the channels of one rank need of their communicator. Closing a channel closes none of it.
 *
 * @param control the control plane
 * @param device the rank's device
 * @param links the rank's transports and proxy
 * @param abort the communicator's abort word
 * @param timeout how long a full trigger ring may stay full
 */
public record ChannelEnvironment(
        ControlPlane control, BackendDevice device, RankLinks links, AbortFlag abort, Duration timeout) {
    RankTransports transports() {
        return links.transports();
    }

    ProxyAgent proxy() {
        return links.proxy();
    }

    /** Returns the proxy agent into whose ring kernels push triggers. Only for devices that push triggers. */
    ProxyAgent deviceProxy() {
        return links.deviceProxy();
    }

    /** Sends a peer a message and returns the message that the peer sends in the same step. */
    byte[] exchange(int peer, Topic topic, byte[] own) {
        control.send(peer, topic, own);
        return control.receive(peer, topic);
    }

    /** Returns the exception for a call on a closed channel. */
    static InvalidArgumentException closedChannel() {
        return new InvalidArgumentException("this channel is closed; make another one");
    }

    /**
     * Throws if the waits of kernels for a peer have ended.
     *
     * @param channel the kind of channel on which the kernels waited
     */
    void checkWaits(int peer, String channel) {
        requireNotAborted("waited for rank " + peer + " on " + channel);
        if (control.endOf(peer).isSet()) {
            throw ClosedPeer.exception(peer, "rank " + peer + " on " + channel);
        }
    }

    /**
     * Throws if the communicator is aborted or has lost a rank. The argument {@code doing} describes what this rank was
     * doing.
     */
    void requireNotAborted(String doing) {
        if (abort.isSet()) {
            throw abort.exception("this rank " + doing);
        }
    }
}
