package org.mscclj.conformance;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.BeforeAll;
import org.mscclj.spi.Availability;

/** The transport by RDMA. Needs an adapter: {@code it/softroce} runs it in a guest that has one. */
class IbTransportConformanceTest extends TransportConformance {
    @Override
    protected String transport() {
        return "ib";
    }

    @BeforeAll
    void requireAdapter() {
        Availability availability = provider().probe();
        assumeTrue(availability instanceof Availability.Available, availability::toString);
    }
}
