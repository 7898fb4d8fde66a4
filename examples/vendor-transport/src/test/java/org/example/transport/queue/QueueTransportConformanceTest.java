package org.example.transport.queue;

import org.mscclj.conformance.TransportConformance;

/** Section 10 of docs/SPEC.md, a test for each rule. */
class QueueTransportConformanceTest extends TransportConformance {
    @Override
    protected String transport() {
        return "queue";
    }
}
