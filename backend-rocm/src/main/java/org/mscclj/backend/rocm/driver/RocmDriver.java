package org.mscclj.backend.rocm.driver;

import java.util.Optional;
import java.util.UUID;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.backend.rocm.ffm.HipCode;
import org.mscclj.backend.rocm.ffm.HipContexts;
import org.mscclj.backend.rocm.ffm.HipCopies;
import org.mscclj.backend.rocm.ffm.HipDevices;
import org.mscclj.backend.rocm.ffm.HipErrors;
import org.mscclj.backend.rocm.ffm.HipEvents;
import org.mscclj.backend.rocm.ffm.HipGraphs;
import org.mscclj.backend.rocm.ffm.HipLaunches;
import org.mscclj.backend.rocm.ffm.HipMemory;
import org.mscclj.backend.rocm.ffm.HipRuntime;
import org.mscclj.backend.rocm.ffm.HipStreams;
import org.mscclj.gpu.driver.CodeCalls;
import org.mscclj.gpu.driver.ContextCalls;
import org.mscclj.gpu.driver.CopyCalls;
import org.mscclj.gpu.driver.DeviceCalls;
import org.mscclj.gpu.driver.DeviceErrorEvents;
import org.mscclj.gpu.driver.DeviceMemoryCalls;
import org.mscclj.gpu.driver.DriverErrors;
import org.mscclj.gpu.driver.EventCalls;
import org.mscclj.gpu.driver.GpuDriver;
import org.mscclj.gpu.driver.GpuLinks;
import org.mscclj.gpu.driver.GpuTraits;
import org.mscclj.gpu.driver.GraphCalls;
import org.mscclj.gpu.driver.LaunchCalls;
import org.mscclj.gpu.driver.MemoryCalls;
import org.mscclj.gpu.driver.RuntimeCompiler;
import org.mscclj.gpu.driver.StreamCalls;
import org.mscclj.gpu.driver.VendorTerms;

/** The driver of AMD GPUs, by HIP. The functions of a group are bound at its first use. */
public final class RocmDriver implements GpuDriver {
    /** The only instance: it has no state. */
    public static final GpuDriver INSTANCE = new RocmDriver();

    /** Whether lines arrive as a whole over xGMI is unproven. */
    private static final GpuTraits TRAITS = new GpuTraits(HipSession.QUEUES.count(), false);

    private static final VendorTerms TERMS = new VendorTerms(
            "AMD",
            "HIP",
            HipSession.QUEUES.variable(),
            "HIP_VISIBLE_DEVICES, ROCR_VISIBLE_DEVICES",
            "hipStreamCreate",
            "hipExtMallocWithFlags with hipDeviceMallocUncached",
            "hipMallocAsync",
            "hipMallocManaged",
            "hipMemCreate",
            "rocm-smi --showtopo shows which do",
            "xGMI",
            "compile the kernel by hipRTC");

    private RocmDriver() {}

    /** Read once, at the first use. */
    private static final class HostLinks {
        static final Optional<GpuLinks> LINKS =
                XgmiLinks.read(XgmiLinks.folder()).links();
    }

    @Override
    public String backend() {
        return "rocm";
    }

    @Override
    public GpuTraits traits() {
        return TRAITS;
    }

    @Override
    public Optional<GpuLinks> links() {
        return HostLinks.LINKS;
    }

    @Override
    public VendorTerms terms() {
        return TERMS;
    }

    @Override
    public String version() {
        return HipRuntime.major() + "." + HipRuntime.minor();
    }

    @Override
    public int deviceCount() {
        return HipRuntime.deviceCount();
    }

    @Override
    public RuntimeCompiler compiler() {
        return HipRtcCompiler.INSTANCE;
    }

    /** ROCm reports events to administrators' tools only. */
    @Override
    public Optional<DeviceErrorEvents> errorEvents(UUID gpu) {
        return Optional.empty();
    }

    @Override
    public Optional<String> unavailable() {
        return HipSession.unavailable();
    }

    @Override
    public void require() {
        unavailable().ifPresent(reason -> {
            throw new UnsupportedException(reason);
        });
    }

    @Override
    public DeviceCalls devices() {
        return HipDevices.INSTANCE;
    }

    @Override
    public CodeCalls code() {
        return HipCode.INSTANCE;
    }

    @Override
    public ContextCalls contexts() {
        return HipContexts.INSTANCE;
    }

    @Override
    public DeviceMemoryCalls deviceMemory() {
        return HipMemory.INSTANCE;
    }

    @Override
    public MemoryCalls memory() {
        return HipMemory.INSTANCE;
    }

    @Override
    public CopyCalls copies() {
        return HipCopies.INSTANCE;
    }

    @Override
    public LaunchCalls launches() {
        return HipLaunches.INSTANCE;
    }

    @Override
    public StreamCalls streams() {
        return HipStreams.INSTANCE;
    }

    @Override
    public EventCalls events() {
        return HipEvents.INSTANCE;
    }

    @Override
    public GraphCalls graphs() {
        return HipGraphs.INSTANCE;
    }

    @Override
    public DriverErrors errors() {
        return HipErrors.INSTANCE;
    }
}
