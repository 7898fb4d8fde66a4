package org.mscclj.conformance;

import org.junit.jupiter.api.parallel.Isolated;

/** The CPU backend. It needs all cores: ranks are threads, and later processes. */
@Isolated
class HostBackendConformanceTest extends BackendConformance {
    @Override
    protected String backend() {
        return "host";
    }
}
