package org.mscclj.backend.cuda.driver;

import java.util.Optional;
import java.util.UUID;
import org.mscclj.backend.cuda.ffm.Contexts;
import org.mscclj.backend.cuda.ffm.Copies;
import org.mscclj.backend.cuda.ffm.Driver;
import org.mscclj.backend.cuda.ffm.Errors;
import org.mscclj.backend.cuda.ffm.Events;
import org.mscclj.backend.cuda.ffm.Graphs;
import org.mscclj.backend.cuda.ffm.Launches;
import org.mscclj.backend.cuda.ffm.Multicasts;
import org.mscclj.backend.cuda.ffm.OtherMemory;
import org.mscclj.backend.cuda.ffm.Streams;
import org.mscclj.backend.cuda.ffm.VirtualMemory;
import org.mscclj.gpu.driver.CodeCalls;
import org.mscclj.gpu.driver.ContextCalls;
import org.mscclj.gpu.driver.CopyCalls;
import org.mscclj.gpu.driver.DeviceCalls;
import org.mscclj.gpu.driver.DeviceErrorEvents;
import org.mscclj.gpu.driver.DeviceMemoryCalls;
import org.mscclj.gpu.driver.DriverErrors;
import org.mscclj.gpu.driver.EventCalls;
import org.mscclj.gpu.driver.FabricState;
import org.mscclj.gpu.driver.GpuDriver;
import org.mscclj.gpu.driver.GpuTraits;
import org.mscclj.gpu.driver.GraphCalls;
import org.mscclj.gpu.driver.LaunchCalls;
import org.mscclj.gpu.driver.MemoryCalls;
import org.mscclj.gpu.driver.MulticastCalls;
import org.mscclj.gpu.driver.RuntimeCompiler;
import org.mscclj.gpu.driver.StreamCalls;
import org.mscclj.gpu.driver.VendorTerms;

/**
 * The CUDA driver. Rare calls go through JCuda, all others through FFM. The functions of a group are bound at its first
 * use, or by {@link org.mscclj.backend.cuda.ffm.Linking}.
 */
public final class CudaDriver implements GpuDriver {
    /** The only instance: it has no state. */
    public static final GpuDriver INSTANCE = new CudaDriver();

    /** The name of the backend. */
    public static final String BACKEND = "cuda";

    private static final GpuTraits TRAITS = new GpuTraits(DriverSession.QUEUES.count(), true);

    private static final VendorTerms TERMS = new VendorTerms(
            "NVIDIA",
            "CUDA",
            DriverSession.QUEUES.variable(),
            "CUDA_VISIBLE_DEVICES",
            "cuStreamCreate or cudaStreamCreate",
            "cuMemAlloc (cudaMalloc)",
            "cudaMallocAsync",
            "cudaMallocManaged",
            "cuMemCreate without CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR",
            "nvidia-smi topo -p2p a shows which do",
            "NVLink",
            "install the NVIDIA driver, 550 (CUDA 12.4) or newer");

    private CudaDriver() {}

    @Override
    public String backend() {
        return BACKEND;
    }

    @Override
    public GpuTraits traits() {
        return TRAITS;
    }

    @Override
    public VendorTerms terms() {
        return TERMS;
    }

    @Override
    public String version() {
        return text(Math.max(0, Driver.version()));
    }

    /** Formats a version: 13.0 for 13000. */
    static String text(int version) {
        return version / 1000 + "." + version % 1000 / 10;
    }

    @Override
    public int deviceCount() {
        return Driver.deviceCount();
    }

    @Override
    public RuntimeCompiler compiler() {
        return NvrtcCompiler.INSTANCE;
    }

    @Override
    public Optional<DeviceErrorEvents> errorEvents(UUID gpu) {
        return XidEvents.of(gpu);
    }

    @Override
    public Optional<String> unavailable() {
        return DriverSession.unavailable();
    }

    @Override
    public void require() {
        DriverSession.require();
        JcudaLibrary.load();
    }

    @Override
    public DeviceCalls devices() {
        return JcudaDevices.INSTANCE;
    }

    @Override
    public CodeCalls code() {
        return JcudaCode.INSTANCE;
    }

    @Override
    public ContextCalls contexts() {
        return Contexts.INSTANCE;
    }

    @Override
    public DeviceMemoryCalls deviceMemory() {
        return VirtualMemory.INSTANCE;
    }

    @Override
    public Optional<MulticastCalls> multicast() {
        return Optional.of(Multicasts.INSTANCE);
    }

    @Override
    public Optional<String> fabricSummary() {
        return SwitchRegistration.summary();
    }

    @Override
    public Optional<FabricState> fabric(UUID gpu) {
        return SwitchRegistration.of(gpu);
    }

    @Override
    public MemoryCalls memory() {
        return OtherMemory.INSTANCE;
    }

    @Override
    public CopyCalls copies() {
        return Copies.INSTANCE;
    }

    @Override
    public LaunchCalls launches() {
        return Launches.INSTANCE;
    }

    @Override
    public StreamCalls streams() {
        return Streams.INSTANCE;
    }

    @Override
    public EventCalls events() {
        return Events.INSTANCE;
    }

    @Override
    public GraphCalls graphs() {
        return Graphs.INSTANCE;
    }

    @Override
    public DriverErrors errors() {
        return Errors.INSTANCE;
    }
}
