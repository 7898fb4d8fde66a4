package org.mscclj.dlpack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.DataType;

/** Exported tensors as other software sees them. */
class TensorExportTest {
    private static final TensorLayout MATRIX = TensorLayout.contiguous(DataType.FLOAT32, 3, 4);

    private LocalGroup group;
    private Device device;

    @BeforeEach
    void open() {
        OtherSoftware.require();
        group = LocalGroup.open(LocalGroupOptions.ranks(1).backend("host"));
        device = group.communicator(0).device();
    }

    @AfterEach
    void close() {
        if (group != null) {
            group.close();
        }
    }

    private static DeviceBuffer numbered(Device device, int count) {
        DeviceBuffer buffer = device.allocate((long) count * Float.BYTES);
        for (int i = 0; i < count; i++) {
            buffer.segment().setAtIndex(ValueLayout.JAVA_FLOAT, i, i);
        }
        return buffer;
    }

    private ExportedTensor create(DeviceBuffer buffer, TensorLayout layout, boolean versioned) {
        TensorExport export = TensorExport.of(device, buffer, layout);
        return (versioned ? export : export.unversioned()).create();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void otherSoftwareReadsAndDeletesIt(boolean versioned) {
        DeviceBuffer buffer = numbered(device, 20);
        ExportedTensor tensor = create(buffer.slice(16, 64), MATRIX, versioned);
        assertEquals(4 * 12 + 66, OtherSoftware.sum(tensor.address(), versioned));
        InvalidArgumentException refused = assertThrows(InvalidArgumentException.class, buffer::close);
        assertTrue(refused.getMessage().contains("exported tensors"), refused::getMessage);
        assertFalse(tensor.isDeleted());
        OtherSoftware.delete(tensor.address(), versioned);
        assertTrue(tensor.isDeleted());
        tensor.delete(); // does nothing
        buffer.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void stridesAreHonoured(boolean versioned) {
        try (DeviceBuffer buffer = numbered(device, 20)) {
            TensorLayout column = new TensorLayout(DataType.FLOAT32, List.of(4L, 2L), List.of(5L, 2L));
            ExportedTensor tensor = create(buffer, column, versioned);
            assertEquals(2 * (5 + 10 + 15) + 4 * 2, OtherSoftware.sum(tensor.address(), versioned));
            OtherSoftware.delete(tensor.address(), versioned);
        }
    }

    @Test
    void severalTensorsHoldOneBuffer() {
        DeviceBuffer buffer = numbered(device, 12);
        TensorExport export = TensorExport.of(device, buffer, MATRIX);
        ExportedTensor one = export.create();
        ExportedTensor two = export.create();
        OtherSoftware.delete(one.address(), true);
        assertThrows(InvalidArgumentException.class, buffer::close);
        assertEquals(66, OtherSoftware.sum(two.address(), true));
        two.delete();
        two.delete();
        buffer.close();
    }

    @Test
    void manyTensorsAreCreatedAndDeleted() {
        try (DeviceBuffer buffer = numbered(device, 12)) {
            TensorExport export = TensorExport.of(device, buffer, MATRIX);
            for (int round = 0; round < 1000; round++) {
                OtherSoftware.delete(export.create().address(), true);
            }
        }
    }

    @Test
    void tensorsThatExceedTheBufferAreRefused() {
        try (DeviceBuffer buffer = device.allocate(47)) {
            assertThrows(InvalidArgumentException.class, () -> TensorExport.of(device, buffer, MATRIX));
            TensorLayout one = TensorLayout.contiguous(DataType.INT32, 1);
            String message = assertThrows(
                            InvalidArgumentException.class, () -> TensorExport.of(device, buffer.slice(1, 40), one))
                    .getMessage();
            assertTrue(message.contains("multiple of the 4 bytes"), message);
            TensorExport readOnly = TensorExport.of(device, buffer, one).readOnly();
            assertThrows(InvalidArgumentException.class, readOnly::unversioned);
            TensorExport old = TensorExport.of(device, buffer, one).unversioned();
            assertThrows(InvalidArgumentException.class, old::readOnly);
        }
    }

    @Test
    void tensorWithoutElementsMayHaveAnyAddress() {
        try (DeviceBuffer buffer = device.allocate(48)) {
            TensorLayout none = TensorLayout.contiguous(DataType.INT32, 0, 3);
            TensorExport.of(device, buffer.slice(1, 0), none).create().delete();
        }
    }

    @Test
    void closedBuffersAreRefused() {
        DeviceBuffer buffer = device.allocate(48);
        TensorExport export = TensorExport.of(device, buffer, MATRIX);
        buffer.close();
        assertThrows(InvalidArgumentException.class, export::create);
    }
}
