package org.mscclj.backend.cuda.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.mscclj.backend.cuda.standin.Headers;
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.gpu.driver.MemoryKind;
import org.mscclj.gpu.driver.MulticastCalls;

/** Structures and constants of the driver are those of their headers. */
@ResourceLock(StandIn.RESOURCE)
class StructureTest {
    @TempDir
    Path folder;

    @BeforeAll
    static void useStandIn() {
        StandIn.use();
    }

    /** What stands in a field, where and as large as the header has it. */
    private static long at(MemorySegment memory, Headers headers, String field) {
        long offset = headers.get(field);
        long bytes = headers.get("sizeof " + field);
        return switch ((int) bytes) {
            case Byte.BYTES -> memory.get(ValueLayout.JAVA_BYTE, offset);
            case Short.BYTES -> memory.get(ValueLayout.JAVA_SHORT, offset);
            case Integer.BYTES -> memory.get(ValueLayout.JAVA_INT, offset);
            case Long.BYTES -> memory.get(ValueLayout.JAVA_LONG, offset);
            default -> throw new IllegalStateException(field + " has " + bytes + " bytes, and no number has");
        };
    }

    @Test
    void propertiesOfMulticastObjects() throws IOException, InterruptedException {
        Headers headers = Headers.read(folder);
        assertEquals(headers.get("CU_MULTICAST_GRANULARITY_MINIMUM"), Multicasts.MINIMUM);
        assertEquals(headers.get("CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED"), Multicasts.SUPPORTED);
        assertEquals(headers.get("CU_MEM_HANDLE_TYPE_FABRIC"), Multicasts.FABRIC);
        assertEquals(headers.get("CUmemFabricHandle"), MulticastCalls.FABRIC_HANDLE_BYTES);
        assertEquals(headers.get("CUDA_ERROR_ILLEGAL_STATE"), Multicasts.ILLEGAL_STATE);
        assertEquals(headers.get("CUDA_ERROR_NOT_PERMITTED"), Multicasts.NOT_PERMITTED);
        assertEquals(headers.get("CUDA_ERROR_SYSTEM_NOT_READY"), Multicasts.SYSTEM_NOT_READY);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment properties = Multicasts.properties(arena, new MulticastCalls.Kind(7, 4 << 20, true, true));
            assertEquals(headers.get("CUmulticastObjectProp"), properties.byteSize());
            assertEquals(7, at(properties, headers, "CUmulticastObjectProp.numDevices"));
            assertEquals(4 << 20, at(properties, headers, "CUmulticastObjectProp.size"));
            assertEquals(
                    VirtualMemory.DESCRIPTOR | Multicasts.FABRIC,
                    at(properties, headers, "CUmulticastObjectProp.handleTypes"));
            assertEquals(0, at(properties, headers, "CUmulticastObjectProp.flags"));
        }
    }

    @Test
    void propertiesOfMemory() throws IOException, InterruptedException {
        Headers headers = Headers.read(folder);
        assertEquals(headers.get("CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR"), VirtualMemory.DESCRIPTOR);
        assertEquals(headers.get("CU_MEM_ALLOC_GRANULARITY_RECOMMENDED"), VirtualMemory.RECOMMENDED);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment properties = VirtualMemory.properties(arena, new MemoryKind(7, true, true));
            assertEquals(headers.get("CUmemAllocationProp"), properties.byteSize());
            assertEquals(
                    headers.get("CU_MEM_ALLOCATION_TYPE_PINNED"), at(properties, headers, "CUmemAllocationProp.type"));
            assertEquals(VirtualMemory.DESCRIPTOR, at(properties, headers, "CUmemAllocationProp.requestedHandleTypes"));
            assertEquals(
                    headers.get("CU_MEM_LOCATION_TYPE_DEVICE"),
                    at(properties, headers, "CUmemAllocationProp.location.type"));
            assertEquals(7, at(properties, headers, "CUmemAllocationProp.location.id"));
            assertEquals(1, at(properties, headers, "CUmemAllocationProp.allocFlags.gpuDirectRDMACapable"));
        }
    }

    @Test
    void accessToMemory() throws IOException, InterruptedException {
        Headers headers = Headers.read(folder);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment access = VirtualMemory.access(arena, 7);
            assertEquals(headers.get("CUmemAccessDesc"), access.byteSize());
            assertEquals(
                    headers.get("CU_MEM_LOCATION_TYPE_DEVICE"), at(access, headers, "CUmemAccessDesc.location.type"));
            assertEquals(7, at(access, headers, "CUmemAccessDesc.location.id"));
            assertEquals(
                    headers.get("CU_MEM_ACCESS_FLAGS_PROT_READWRITE"), at(access, headers, "CUmemAccessDesc.flags"));
        }
    }

    @Test
    void otherMemory() throws IOException, InterruptedException {
        Headers headers = Headers.read(folder);
        assertEquals(headers.get("CUipcMemHandle"), OtherMemory.HANDLE_BYTES);
        assertEquals(headers.get("CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS"), OtherMemory.LAZY_PEER_ACCESS);
        assertEquals(
                headers.get("CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP"), OtherMemory.PORTABLE_AND_MAPPED);
    }

    @Test
    void earlyLaunches() throws IOException, InterruptedException {
        Headers headers = Headers.read(folder);
        long bytes = Launches.INSTANCE.earlyBytes("sm_90");
        assertEquals(headers.get("CUlaunchConfig") + headers.get("CUlaunchAttribute"), bytes);
        assertEquals(0, Launches.INSTANCE.earlyBytes("sm_89"));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment config = arena.allocate(bytes, Long.BYTES);
            Launches.INSTANCE.describeEarly(config, 3, 96);
            assertEquals(3, at(config, headers, "CUlaunchConfig.gridDimX"));
            assertEquals(1, at(config, headers, "CUlaunchConfig.gridDimY"));
            assertEquals(1, at(config, headers, "CUlaunchConfig.gridDimZ"));
            assertEquals(96, at(config, headers, "CUlaunchConfig.blockDimX"));
            assertEquals(1, at(config, headers, "CUlaunchConfig.blockDimY"));
            assertEquals(1, at(config, headers, "CUlaunchConfig.blockDimZ"));
            assertEquals(0, at(config, headers, "CUlaunchConfig.sharedMemBytes"));
            assertEquals(headers.get("CUlaunchConfig.hStream"), Launches.STREAM);
            long attribute = headers.get("CUlaunchConfig");
            assertEquals(config.address() + attribute, at(config, headers, "CUlaunchConfig.attrs"));
            assertEquals(1, at(config, headers, "CUlaunchConfig.numAttrs"));
            assertEquals(
                    headers.get("CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION"),
                    at(config.asSlice(attribute), headers, "CUlaunchAttribute.id"));
            assertEquals(
                    1,
                    at(
                            config.asSlice(attribute),
                            headers,
                            "CUlaunchAttribute.value.programmaticStreamSerializationAllowed"));
        }
    }

    @Test
    void eventsOfNvml() throws IOException, InterruptedException {
        Headers headers = Headers.read(folder);
        assumeTrue(
                headers.has("nvmlEventData_t"), "the toolkit has no nvml.h: its structures are not compared with it");
        assertEquals(headers.get("nvmlEventData_t"), Nvml.EVENT.byteSize());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment event = Nvml.event(arena);
            event.set(ValueLayout.JAVA_LONG, headers.get("nvmlEventData_t.eventData"), 43);
            assertEquals(43, Nvml.number(event));
        }
        assertEquals(headers.get("NVML_SUCCESS"), Nvml.SUCCESS);
        assertEquals(headers.get("NVML_ERROR_TIMEOUT"), Nvml.TIMEOUT);
        assertEquals(headers.get("NVML_ERROR_LIBRARY_NOT_FOUND"), Nvml.MISSING);
        assertEquals(headers.get("nvmlEventTypeXidCriticalError"), Nvml.XID);
    }
}
