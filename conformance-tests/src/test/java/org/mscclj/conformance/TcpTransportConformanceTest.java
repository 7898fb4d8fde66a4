package org.mscclj.conformance;

/** The transport between ranks anywhere, here over the loopback device. */
class TcpTransportConformanceTest extends TransportConformance {
    @Override
    protected String transport() {
        return "tcp";
    }
}
