package org.mscclj.device.kernels.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.InvalidArgumentException;

class DeviceLibraryTest {
    private static final Pattern INCLUDE = Pattern.compile("#include \"([^\"]+)\"");

    @Test
    void everyIncludedFileIsListed() {
        for (String file : DeviceLibrary.FILES) {
            Matcher include = INCLUDE.matcher(DeviceLibrary.read(file));
            while (include.find()) {
                assertTrue(DeviceLibrary.FILES.contains(include.group(1)), file + " includes " + include.group(1));
            }
        }
    }

    /** A second vendor is one more file in this folder. */
    @Test
    void onlyFilesOfAVendorHaveItsInstructions() {
        Pattern instructions = Pattern.compile("\\basm\\b|__CUDA_ARCH__|__CUDACC|__HIP|__hip|__builtin_|__nv");
        for (String file : DeviceLibrary.FILES) {
            boolean ofVendor = file.startsWith("mscclj/arch/");
            assertEquals(
                    ofVendor, instructions.matcher(DeviceLibrary.read(file)).find(), file);
        }
    }

    @Test
    void expandingTakesEachFileOnce() {
        String all = DeviceLibrary.expand("#include \"mscclj/plan.cuh\"\n#include \"mscclj/memory.cuh\"\n");
        assertEquals(-1, all.indexOf("#include \""));
        assertEquals(all.indexOf("struct alignas(16) Words4"), all.lastIndexOf("struct alignas(16) Words4"));
    }

    @Test
    void missingFileIsRefusedWithTheListOfFiles() {
        InvalidArgumentException e =
                assertThrows(InvalidArgumentException.class, () -> DeviceLibrary.read("mscclj/nothing.cuh"));
        assertTrue(String.valueOf(e.getMessage()).contains("mscclj/plan.cuh"), e::getMessage);
    }
}
