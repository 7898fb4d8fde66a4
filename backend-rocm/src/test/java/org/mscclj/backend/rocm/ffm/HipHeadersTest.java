package org.mscclj.backend.rocm.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.backend.rocm.CommandLine;
import org.mscclj.gpu.driver.DeviceCalls;
import org.mscclj.gpu.driver.FunctionAttribute;
import org.mscclj.gpu.driver.MemoryCalls;
import org.mscclj.gpu.driver.PointerAttribute;
import org.mscclj.gpu.driver.StreamCalls;

/** Structures and constants are those of the headers of HIP that are installed, of whichever version. */
class HipHeadersTest {
    private static final List<Path> FOLDERS = List.of(Path.of("/opt/rocm/include"), Path.of("/usr/include"));

    @TempDir
    private static Path folder;

    private static Map<String, Long> numbers = Map.of();

    @BeforeAll
    static void ask() throws IOException, InterruptedException {
        Path headers = FOLDERS.stream()
                .filter(place -> Files.exists(place.resolve("hip/hip_runtime_api.h")))
                .findFirst()
                .orElse(Path.of("/nowhere"));
        assumeTrue(
                Files.exists(headers),
                "there is no hip/hip_runtime_api.h in " + FOLDERS
                        + ": the structures of HIP are not compared with it; on"
                        + " Debian: apt-get install --no-install-recommends libamdhip64-dev");
        String program = folder.resolve("headers").toString();
        CommandLine.compile("-w", "-I", headers.toString(), "-o", program, "src/test/c/headers.c");
        numbers = CommandLine.run(List.of(program), Map.of())
                .lines()
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.lastIndexOf(' ')),
                        line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1))));
    }

    private static long number(String name) {
        Long number = numbers.get(name);
        if (number == null) {
            throw new IllegalArgumentException("headers.c prints no " + name + ", but " + numbers.keySet());
        }
        return number;
    }

    private static int major() {
        return (int) number("HIP_VERSION_MAJOR");
    }

    @Test
    void propertiesOfGpus() {
        HipDevices.DeviceStructure structure =
                major() >= 6 ? HipDevices.DeviceStructure.NEWER : HipDevices.DeviceStructure.OLDER;
        assertEquals(number("sizeof hipDeviceProp_t"), structure.bytes());
        assertEquals(number("hipDeviceProp_t.gcnArchName"), structure.architecture());
        assertEquals(number("sizeof hipDeviceProp_t.gcnArchName"), DeviceCalls.MAX_TEXT_BYTES);
        assertEquals(number("sizeof hipUUID"), DeviceCalls.UUID_BYTES);
        assertEquals(number("hipDeviceAttributeMultiprocessorCount"), HipDevices.MULTIPROCESSORS);
        assertEquals(number("hipDeviceAttributeWarpSize"), HipDevices.WARP_SIZE);
        assertEquals(number("hipDevP2PAttrNativeAtomicSupported"), HipDevices.NATIVE_ATOMICS);
    }

    @Test
    void memory() {
        assertEquals(number("sizeof hipIpcMemHandle_t"), MemoryCalls.HANDLE_BYTES);
        assertEquals(number("hipPointerAttribute_t.allocationFlags"), HipMemory.ALLOCATION_FLAGS);
        assertTrue(number("sizeof hipPointerAttribute_t") <= HipMemory.ATTRIBUTES_BYTES);
        assertEquals(number("hipDeviceMallocFinegrained"), HipMemory.FINE_GRAINED);
        if (numbers.containsKey("hipDeviceMallocUncached")) { // headers of HIP 5.5 and newer
            assertEquals(number("hipDeviceMallocUncached"), HipMemory.UNCACHED);
        }
        assertEquals(
                number("hipHostMallocPortable | hipHostMallocMapped | hipHostMallocCoherent"),
                HipMemory.PORTABLE_MAPPED_AND_COHERENT);
        assertEquals(number("hipIpcMemLazyEnablePeerAccess"), HipMemory.lazyPeerAccess(major()));
        assertEquals(number("hipMemoryTypeDevice"), HipMemory.onDevice(major()));
        assertEquals(number("hipMemcpyHostToDevice"), HipCopies.HOST_TO_DEVICE);
        assertEquals(number("hipMemcpyDeviceToHost"), HipCopies.DEVICE_TO_HOST);
        assertEquals(number("hipMemcpyDefault"), HipCopies.BY_ADDRESSES);
    }

    @Test
    void attributes() {
        Map<PointerAttribute, String> names = Map.of(
                PointerAttribute.CONTEXT, "CONTEXT",
                PointerAttribute.MEMORY_TYPE, "MEMORY_TYPE",
                PointerAttribute.BUFFER_ID, "BUFFER_ID",
                PointerAttribute.MANAGED, "IS_MANAGED",
                PointerAttribute.DEVICE_ORDINAL, "DEVICE_ORDINAL",
                PointerAttribute.RANGE_START, "RANGE_START_ADDR",
                PointerAttribute.RANGE_SIZE, "RANGE_SIZE",
                PointerAttribute.HANDLE_TYPES, "ALLOWED_HANDLE_TYPES",
                PointerAttribute.POOL, "MEMPOOL_HANDLE");
        for (PointerAttribute attribute : PointerAttribute.values()) {
            assertEquals(number("HIP_POINTER_ATTRIBUTE_" + names.get(attribute)), HipMemory.number(attribute));
        }
        Map<FunctionAttribute, String> ofFunctions = Map.of(
                FunctionAttribute.REGISTERS, "NUM_REGS",
                FunctionAttribute.MAX_THREADS, "MAX_THREADS_PER_BLOCK",
                FunctionAttribute.SHARED_BYTES, "SHARED_SIZE_BYTES");
        for (FunctionAttribute attribute : FunctionAttribute.values()) {
            assertEquals(number("HIP_FUNC_ATTRIBUTE_" + ofFunctions.get(attribute)), HipCode.number(attribute));
        }
    }

    @Test
    void streamsAndEvents() {
        assertEquals(number("hipEventDisableTiming"), HipEvents.WITHOUT_TIMING);
        assertEquals(number("hipStreamNonBlocking"), HipStreams.NON_BLOCKING);
        assertEquals(number("hipStreamCaptureModeRelaxed"), StreamCalls.RELAXED);
        assertEquals(number("hipStreamCaptureStatusNone"), HipStreams.CAPTURE_NONE);
        assertEquals(number("hipStreamCaptureStatusActive"), 1);
    }

    @Test
    void errors() {
        assertEquals(number("hipErrorInvalidValue"), HipErrors.INVALID_VALUE);
        assertEquals(number("hipErrorOutOfMemory"), HipErrors.OUT_OF_MEMORY);
        assertEquals(number("hipErrorNoDevice"), HipErrors.NO_DEVICE);
        assertEquals(number("hipErrorInvalidDevice"), HipErrors.INVALID_DEVICE);
        assertEquals(number("hipErrorNotFound"), HipErrors.NOT_FOUND);
        assertEquals(number("hipErrorNotReady"), HipErrors.NOT_READY);
        assertEquals(number("hipErrorPeerAccessAlreadyEnabled"), HipErrors.PEER_ACCESS_ALREADY_ENABLED);
        assertEquals(number("hipErrorNotSupported"), HipErrors.NOT_SUPPORTED);
        assertEquals(number("hipErrorStreamCaptureUnsupported"), HipErrors.FIRST_OF_CAPTURES);
        assertEquals(number("hipErrorCapturedEvent"), HipErrors.CAPTURED_EVENT);
        assertEquals(
                Stream.of(
                                "ECCNotCorrectable",
                                "IllegalAddress",
                                "LaunchTimeOut",
                                "ContextIsDestroyed",
                                "Assert",
                                "LaunchFailure",
                                "Unknown")
                        .map(name -> (int) number("hipError" + name))
                        .collect(Collectors.toSet()),
                HipErrors.OF_LOST_CONTEXTS);
    }
}
