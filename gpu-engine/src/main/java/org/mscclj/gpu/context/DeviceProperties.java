package org.mscclj.gpu.context;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.ToIntFunction;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.gpu.driver.DeviceCalls;
import org.mscclj.gpu.driver.DriverErrors;
import org.mscclj.gpu.driver.GpuDriver;

/**
 * The properties of a GPU.
 *
 * @param ordinal its number among the GPUs that this process sees
 * @param name the model
 * @param uuid identifies the GPU
 * @param busAddress its address on the PCI bus, as {@code 0000:3b:00.0}; empty if the driver does not know it
 * @param architecture the architecture that kernels are compiled for: {@code sm_90}
 * @param multiprocessors number of multiprocessors
 * @param warpSize threads that execute an instruction together
 * @param directRdma whether network cards can access its virtual memory
 */
record DeviceProperties(
        int ordinal,
        String name,
        UUID uuid,
        Optional<String> busAddress,
        String architecture,
        int multiprocessors,
        int warpSize,
        boolean directRdma) {
    /**
     * Reads the properties from the driver.
     *
     * @throws InvalidArgumentException if there is no such GPU
     */
    static DeviceProperties of(GpuDriver driver, int ordinal) {
        driver.require();
        DeviceCalls devices = driver.devices();
        int count = devices.count();
        if (ordinal < 0 || ordinal >= count) {
            throw InvalidArgumentException.of("GPU", ordinal, "0 to " + (count - 1));
        }
        return new DeviceProperties(
                ordinal,
                text(driver, name -> devices.name(ordinal, name), "reading the name of GPU " + ordinal),
                uuid(driver, ordinal),
                busAddress(devices, ordinal),
                text(driver, name -> devices.architecture(ordinal, name), "reading an attribute of GPU " + ordinal),
                number(
                        driver,
                        value -> devices.multiprocessors(ordinal, value),
                        "reading an attribute of GPU " + ordinal),
                number(driver, value -> devices.warpSize(ordinal, value), "reading an attribute of GPU " + ordinal),
                number(driver, value -> devices.directRdma(ordinal, value), "reading an attribute of GPU " + ordinal)
                        != 0);
    }

    /** In lower case, as in the names of files of the kernel. */
    private static Optional<String> busAddress(DeviceCalls devices, int ordinal) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(DeviceCalls.MAX_TEXT_BYTES);
            return devices.busAddress(ordinal, address) == DriverErrors.SUCCESS
                    ? Optional.of(address.getString(0).toLowerCase(Locale.ROOT))
                    : Optional.empty();
        }
    }

    /** The UUID of a GPU. */
    static UUID uuid(GpuDriver driver, int ordinal) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment uuid = arena.allocate(DeviceCalls.UUID_BYTES);
            driver.check(driver.devices().uuid(ordinal, uuid), "reading the UUID of GPU " + ordinal);
            ByteBuffer bytes = uuid.asByteBuffer();
            return new UUID(bytes.getLong(), bytes.getLong());
        }
    }

    /**
     * Calls a function that writes an int, and returns the int.
     *
     * @param function the function's name in messages
     */
    static int number(GpuDriver driver, ToIntFunction<MemorySegment> call, String function) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(ValueLayout.JAVA_INT);
            driver.check(call.applyAsInt(value), function);
            return value.get(ValueLayout.JAVA_INT, 0);
        }
    }

    private static String text(GpuDriver driver, ToIntFunction<MemorySegment> call, String function) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(DeviceCalls.MAX_TEXT_BYTES);
            driver.check(call.applyAsInt(text), function);
            return text.getString(0);
        }
    }
}
