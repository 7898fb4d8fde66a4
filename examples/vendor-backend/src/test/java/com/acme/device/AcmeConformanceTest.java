package com.acme.device;

import org.mscclj.conformance.BackendConformance;

/** The rules of docs/SPEC.md, with ranks as threads, on several nodes, and as processes. */
class AcmeConformanceTest extends BackendConformance {
    @Override
    protected String backend() {
        return "acme";
    }
}
