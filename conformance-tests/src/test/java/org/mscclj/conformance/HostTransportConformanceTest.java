package org.mscclj.conformance;

/** The transport between ranks of one process. */
class HostTransportConformanceTest extends TransportConformance {
    @Override
    protected String transport() {
        return "host";
    }
}
