package org.mscclj.backend.cuda.context;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.CUuuid;
import jcuda.driver.JCudaDriver;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.backend.cuda.driver.DriverResult;
import org.mscclj.backend.cuda.driver.DriverSession;
import org.mscclj.backend.cuda.driver.JcudaLibrary;
import org.mscclj.backend.cuda.ffm.Driver;

/**
 * What a GPU is.
 *
 * @param ordinal its number among those that this process sees
 * @param name the model
 * @param uuid tells it from all others
 * @param architecture what kernels are compiled for: {@code sm_90}
 * @param multiprocessors their number
 * @param directRdma whether its virtual memory can be reached by network cards
 */
record DeviceProperties(
        int ordinal, String name, UUID uuid, String architecture, int multiprocessors, boolean directRdma) {
    private static final int LONGEST_NAME = 256;

    /**
     * {@code CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED}, by its number, since JCuda's names differ
     * between versions.
     */
    private static final int DIRECT_RDMA_WITH_VIRTUAL_MEMORY = 110;

    /**
     * Asks the driver.
     *
     * @throws InvalidArgumentException if there is no such GPU
     */
    static DeviceProperties of(int ordinal) {
        DriverSession.require();
        JcudaLibrary.load();
        int count = Driver.deviceCount();
        if (ordinal < 0 || ordinal >= count) {
            throw InvalidArgumentException.of("GPU", ordinal, "0 to " + (count - 1));
        }
        CUdevice device = device(ordinal);
        int major = attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
        int minor = attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
        return new DeviceProperties(
                ordinal,
                name(device),
                uuid(device),
                "sm_" + major + minor,
                attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
                attribute(device, DIRECT_RDMA_WITH_VIRTUAL_MEMORY) != 0);
    }

    /** What JCuda calls a GPU. */
    static CUdevice device(int ordinal) {
        CUdevice device = new CUdevice();
        DriverResult.checkJcuda(() -> JCudaDriver.cuDeviceGet(device, ordinal), "cuDeviceGet of GPU " + ordinal);
        return device;
    }

    /** The identity of a GPU. */
    static UUID uuid(CUdevice device) {
        CUuuid uuid = new CUuuid();
        DriverResult.checkJcuda(() -> JCudaDriver.cuDeviceGetUuid(uuid, device), "cuDeviceGetUuid");
        ByteBuffer bytes = ByteBuffer.wrap(uuid.bytes);
        return new UUID(bytes.getLong(), bytes.getLong());
    }

    private static int attribute(CUdevice device, int attribute) {
        int[] value = new int[1];
        DriverResult.checkJcuda(
                () -> JCudaDriver.cuDeviceGetAttribute(value, attribute, device), "cuDeviceGetAttribute " + attribute);
        return value[0];
    }

    private static String name(CUdevice device) {
        byte[] name = new byte[LONGEST_NAME];
        DriverResult.checkJcuda(() -> JCudaDriver.cuDeviceGetName(name, name.length, device), "cuDeviceGetName");
        int length = 0;
        while (length < name.length && name[length] != 0) {
            length++;
        }
        return new String(name, 0, length, StandardCharsets.UTF_8);
    }
}
