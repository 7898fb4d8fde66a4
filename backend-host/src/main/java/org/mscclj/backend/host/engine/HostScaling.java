package org.mscclj.backend.host.engine;

import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.backend.host.kernel.addend.AddendKernel;
import org.mscclj.spi.engine.LaunchSpec;
import org.mscclj.spi.engine.Scaling;

/**
 * The conversion around a plan for an average or a premultiplied sum. Kernels and addresses are resolved once: launches
 * allocate nothing.
 */
final class HostScaling {
    private final AddendKernel kernel;
    private final long input;
    private final long inputElements;
    private final long addends;
    private final double factor;

    /** Address of the factor; 0 if it is not in memory. */
    private final long factorAddress;

    private final boolean finishes;
    private final long sums;
    private final long output;
    private final long outputElements;

    HostScaling(LaunchSpec launch, Scaling scaling) {
        this.kernel = AddendKernel.of(scaling.type(), scaling.form());
        this.input = scaling.input().address();
        this.inputElements = scaling.inputElements();
        this.addends = launch.input().address();
        this.factor = scaling.factor();
        this.factorAddress = scaling.op().memory().map(DeviceBuffer::address).orElse(0L);
        this.finishes = scaling.finishes(launch.output());
        this.sums = launch.output().address();
        this.output = scaling.output().address();
        this.outputElements = scaling.outputElements();
    }

    /** Turns this rank's contribution into addends. */
    void contribute() {
        if (factorAddress != 0) {
            kernel.contributeBy(input, addends, inputElements, factorAddress);
        } else {
            kernel.contribute(input, addends, inputElements, factor);
        }
    }

    /** Turns sums into the result, if this rank has one. */
    void finish() {
        if (finishes) {
            kernel.finish(sums, output, outputElements);
        }
    }
}
