package org.mscclj.dlpack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.DataType;

/** Names of devices, and the refusal of tensors on another device. */
class DevicesTest {
    private static final TensorLayout LAYOUT = TensorLayout.contiguous(DataType.INT64, 4);

    private LocalGroup group;
    private Device host;
    private DeviceBuffer buffer;

    @BeforeEach
    void open() {
        group = LocalGroup.open(LocalGroupOptions.ranks(1).backend("host"));
        host = group.communicator(0).device();
        buffer = host.allocate(32);
    }

    @AfterEach
    void close() {
        buffer.close();
        group.close();
    }

    @ParameterizedTest
    @CsvSource({"cuda, 3, kDLCUDA 3", "rocm, 0, kDLROCM 0"})
    void gpusAreNumbered(String backend, int index, String name) {
        Device gpu = new NamedDevice(backend, index, host);
        ExportedTensor exported = TensorExport.of(gpu, buffer, LAYOUT).create();
        for (Device other : new Device[] {host, new NamedDevice(backend, index + 1, host)}) {
            String message = assertThrows(
                            InvalidArgumentException.class,
                            () -> TensorImport.of(other, exported.address()).take())
                    .getMessage();
            assertTrue(message.contains("is " + name + "; allowed"), message);
        }
        try (ImportedTensor imported = TensorImport.of(gpu, exported.address()).take()) {
            assertEquals(buffer.address(), imported.buffer().address());
        }
    }

    @Test
    void devicesOfUnknownBackendsAreRefused() {
        Device unknown = new NamedDevice("abacus", 0, host);
        String message = assertThrows(UnsupportedException.class, () -> TensorExport.of(unknown, buffer, LAYOUT))
                .getMessage();
        assertTrue(message.contains("abacus"), message);
    }
}
