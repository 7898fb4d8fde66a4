package org.mscclj.dlpack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.DataType;

/** Exported tensors are imported again; needs no C compiler. */
class RoundTripTest {
    @ParameterizedTest
    @EnumSource
    void everyTypeIsImportedEqual(DataType type) {
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(2).backend("host"))) {
            Device device = group.communicator(0).device();
            Device peer = group.communicator(1).device();
            TensorLayout layout = new TensorLayout(type, List.of(2L, 3L, 1L), List.of(1L, 2L, 7L));
            try (DeviceBuffer buffer = device.allocate(100)) {
                TensorExport export = TensorExport.of(device, buffer.slice(8, 90), layout);
                back(export.create(), TensorImport::of, peer, layout, buffer);
                back(
                        export.unversioned().create(),
                        (on, at) -> TensorImport.of(on, at).unversioned(),
                        peer,
                        layout,
                        buffer);
                back(
                        export.readOnly().create(),
                        (on, at) -> TensorImport.of(on, at).allowReadOnly(),
                        peer,
                        layout,
                        buffer);
            }
        }
    }

    private interface Importer {
        TensorImport of(Device device, long address);
    }

    private static void back(
            ExportedTensor exported, Importer importer, Device device, TensorLayout layout, DeviceBuffer buffer) {
        try (ImportedTensor imported = importer.of(device, exported.address()).take()) {
            assertEquals(layout, imported.layout());
            assertEquals(buffer.address() + 8, imported.buffer().address());
            assertEquals(layout.byteSpan(), imported.buffer().byteSize());
            imported.buffer().segment().set(ValueLayout.JAVA_BYTE, 1, (byte) 5);
            assertEquals(5, buffer.segment().get(ValueLayout.JAVA_BYTE, 9));
            assertThrows(InvalidArgumentException.class, buffer::close);
            assertFalse(exported.isDeleted());
        }
        assertTrue(exported.isDeleted());
    }
}
