package org.mscclj.backend.cuda.driver;

import org.mscclj.backend.cuda.ffm.Contexts;
import org.mscclj.backend.cuda.ffm.Copies;
import org.mscclj.backend.cuda.ffm.Errors;
import org.mscclj.backend.cuda.ffm.Events;
import org.mscclj.backend.cuda.ffm.Graphs;
import org.mscclj.backend.cuda.ffm.Launches;
import org.mscclj.backend.cuda.ffm.OtherMemory;
import org.mscclj.backend.cuda.ffm.Streams;
import org.mscclj.backend.cuda.ffm.VirtualMemory;
import org.mscclj.backend.cuda.gpu.GpuCode;
import org.mscclj.backend.cuda.gpu.GpuContexts;
import org.mscclj.backend.cuda.gpu.GpuCopies;
import org.mscclj.backend.cuda.gpu.GpuDevices;
import org.mscclj.backend.cuda.gpu.GpuDriver;
import org.mscclj.backend.cuda.gpu.GpuErrors;
import org.mscclj.backend.cuda.gpu.GpuEvents;
import org.mscclj.backend.cuda.gpu.GpuGraphs;
import org.mscclj.backend.cuda.gpu.GpuLaunches;
import org.mscclj.backend.cuda.gpu.GpuMemory;
import org.mscclj.backend.cuda.gpu.GpuStreams;
import org.mscclj.backend.cuda.gpu.GpuVirtualMemory;

/**
 * The CUDA driver: what happens seldom goes through JCuda, the rest through FFM. Functions of a group are bound when it
 * is first asked for, or by {@link org.mscclj.backend.cuda.ffm.Linking}.
 */
public final class CudaDriver implements GpuDriver {
    /** All there is: it has no state. */
    public static final GpuDriver INSTANCE = new CudaDriver();

    private CudaDriver() {}

    @Override
    public void require() {
        DriverSession.require();
        JcudaLibrary.load();
    }

    @Override
    public GpuDevices devices() {
        return JcudaDevices.INSTANCE;
    }

    @Override
    public GpuCode code() {
        return JcudaCode.INSTANCE;
    }

    @Override
    public GpuContexts contexts() {
        return Contexts.INSTANCE;
    }

    @Override
    public GpuVirtualMemory virtualMemory() {
        return VirtualMemory.INSTANCE;
    }

    @Override
    public GpuMemory memory() {
        return OtherMemory.INSTANCE;
    }

    @Override
    public GpuCopies copies() {
        return Copies.INSTANCE;
    }

    @Override
    public GpuLaunches launches() {
        return Launches.INSTANCE;
    }

    @Override
    public GpuStreams streams() {
        return Streams.INSTANCE;
    }

    @Override
    public GpuEvents events() {
        return Events.INSTANCE;
    }

    @Override
    public GpuGraphs graphs() {
        return Graphs.INSTANCE;
    }

    @Override
    public GpuErrors errors() {
        return Errors.INSTANCE;
    }
}
