package org.mscclj.backend.cuda.driver;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.function.IntSupplier;
import java.util.function.ToIntFunction;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_P2PAttribute;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.CUuuid;
import jcuda.driver.JCudaDriver;
import org.mscclj.backend.cuda.ffm.Driver;
import org.mscclj.gpu.driver.DeviceCalls;
import org.mscclj.gpu.driver.DriverErrors;

/** Calls for GPUs through JCuda. */
final class JcudaDevices implements DeviceCalls {
    /**
     * {@code CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED}, by its number, since JCuda's names differ
     * between versions.
     */
    private static final int DIRECT_RDMA_WITH_VIRTUAL_MEMORY = 110;

    /** The only instance: it has no state. */
    static final DeviceCalls INSTANCE = new JcudaDevices();

    private JcudaDevices() {}

    /** Exposes the pointer, which is protected in JCuda, for calls that JCuda does not make. */
    private static final class Context extends CUcontext {
        long address() {
            return getNativePointer();
        }
    }

    private static int call(IntSupplier function) {
        return JcudaResult.of(function, "a call of JCuda about GPUs");
    }

    /** Makes a call with JCuda's object for a GPU. */
    private static int ask(int ordinal, ToIntFunction<CUdevice> question) {
        CUdevice device = new CUdevice();
        int result = call(() -> JCudaDriver.cuDeviceGet(device, ordinal));
        return result == DriverErrors.SUCCESS ? call(() -> question.applyAsInt(device)) : result;
    }

    private static int askAttribute(int ordinal, int attribute, MemorySegment value) {
        int[] got = new int[1];
        int result = ask(ordinal, device -> JCudaDriver.cuDeviceGetAttribute(got, attribute, device));
        value.set(JAVA_INT, 0, got[0]);
        return result;
    }

    /** {@code cuDeviceGetCount}. */
    @Override
    public int count() {
        return Driver.deviceCount();
    }

    /** {@code cuDeviceGetName}. */
    @Override
    public int name(int ordinal, MemorySegment name) {
        byte[] got = new byte[MAX_TEXT_BYTES];
        int result = ask(ordinal, device -> JCudaDriver.cuDeviceGetName(got, got.length, device));
        got[got.length - 1] = 0;
        MemorySegment.copy(got, 0, name, JAVA_BYTE, 0, got.length);
        return result;
    }

    /** {@code cuDeviceGetUuid}. */
    @Override
    public int uuid(int ordinal, MemorySegment uuid) {
        CUuuid got = new CUuuid();
        int result = ask(ordinal, device -> JCudaDriver.cuDeviceGetUuid(got, device));
        MemorySegment.copy(got.bytes, 0, uuid, JAVA_BYTE, 0, UUID_BYTES);
        return result;
    }

    /** {@code cuDeviceGetPCIBusId}. */
    @Override
    public int busAddress(int ordinal, MemorySegment address) {
        return Driver.busAddress(address, MAX_TEXT_BYTES, ordinal);
    }

    /** By {@code cuDeviceGetAttribute}: {@code sm_90}. */
    @Override
    public int architecture(int ordinal, MemorySegment name) {
        int[] major = new int[1];
        int[] minor = new int[1];
        int result = ask(ordinal, device -> {
            int first = JCudaDriver.cuDeviceGetAttribute(
                    major, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
            return first == DriverErrors.SUCCESS
                    ? JCudaDriver.cuDeviceGetAttribute(
                            minor, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device)
                    : first;
        });
        name.setString(0, "sm_" + major[0] + minor[0]);
        return result;
    }

    /** By {@code cuDeviceGetAttribute}. */
    @Override
    public int multiprocessors(int ordinal, MemorySegment number) {
        return askAttribute(ordinal, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, number);
    }

    /** By {@code cuDeviceGetAttribute}. */
    @Override
    public int warpSize(int ordinal, MemorySegment threads) {
        return askAttribute(ordinal, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_WARP_SIZE, threads);
    }

    /** By {@code cuDeviceGetAttribute}. */
    @Override
    public int directRdma(int ordinal, MemorySegment can) {
        return askAttribute(ordinal, DIRECT_RDMA_WITH_VIRTUAL_MEMORY, can);
    }

    /** {@code cuDeviceCanAccessPeer}. */
    @Override
    public int canAccessPeer(int ordinal, int peer, MemorySegment can) {
        int[] got = new int[1];
        int result = ask(ordinal, own -> ask(peer, other -> JCudaDriver.cuDeviceCanAccessPeer(got, own, other)));
        can.set(JAVA_INT, 0, got[0]);
        return result;
    }

    /** By {@code cuDeviceGetP2PAttribute}. */
    @Override
    public int hasPeerAtomics(int ordinal, int peer, MemorySegment has) {
        int[] got = new int[1];
        int result = ask(
                ordinal,
                own -> ask(
                        peer,
                        other -> JCudaDriver.cuDeviceGetP2PAttribute(
                                got,
                                CUdevice_P2PAttribute.CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED,
                                own,
                                other)));
        has.set(JAVA_INT, 0, got[0]);
        return result;
    }

    /** {@code cuDevicePrimaryCtxRetain}. */
    @Override
    public int retainContext(int ordinal, MemorySegment context) {
        Context got = new Context();
        int result = ask(ordinal, device -> JCudaDriver.cuDevicePrimaryCtxRetain(got, device));
        context.set(JAVA_LONG, 0, got.address());
        return result;
    }

    /** {@code cuDevicePrimaryCtxRelease}. */
    @Override
    public int releaseContext(int ordinal) {
        return ask(ordinal, JCudaDriver::cuDevicePrimaryCtxRelease);
    }

    /** {@code cuMemGetInfo}. */
    @Override
    public int freeMemory(MemorySegment bytes) {
        long[] free = new long[1];
        int result = call(() -> JCudaDriver.cuMemGetInfo(free, new long[1]));
        bytes.set(JAVA_LONG, 0, free[0]);
        return result;
    }
}
