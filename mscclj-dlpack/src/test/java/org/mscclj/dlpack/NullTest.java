package org.mscclj.dlpack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;

/** {@code null} is refused where it is passed, by an exception that names the argument. */
class NullTest {
    private static void assertNamed(String argument, Runnable call) {
        assertEquals(
                argument, assertThrows(NullPointerException.class, call::run).getMessage());
    }

    /** A value of any type. */
    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    private static <T> T nothing() {
        return null;
    }

    @Test
    void layouts() {
        List<Long> numbers = List.of(1L);
        assertNamed("type", () -> new TensorLayout(nothing(), numbers, numbers));
        assertNamed("shape", () -> new TensorLayout(DataType.INT8, nothing(), numbers));
        assertNamed("strides", () -> new TensorLayout(DataType.INT8, numbers, nothing()));
        assertNamed("type", () -> TensorLayout.contiguous(nothing(), 1));
        assertNamed("shape", () -> TensorLayout.contiguous(DataType.INT8, NullTest.<long[]>nothing()));
        assertNamed("shape", () -> TensorLayout.contiguous(DataType.INT8, NullTest.<List<Long>>nothing()));
    }

    @Test
    void tensors() {
        TensorLayout layout = TensorLayout.contiguous(DataType.INT8, 8);
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(1).backend("host"))) {
            Device device = group.communicator(0).device();
            try (DeviceBuffer buffer = device.allocate(8)) {
                assertNamed("device", () -> TensorExport.of(nothing(), buffer, layout));
                assertNamed("buffer", () -> TensorExport.of(device, nothing(), layout));
                assertNamed("layout", () -> TensorExport.of(device, buffer, nothing()));
            }
        }
        assertNamed("device", () -> TensorImport.of(nothing(), 1));
    }
}
