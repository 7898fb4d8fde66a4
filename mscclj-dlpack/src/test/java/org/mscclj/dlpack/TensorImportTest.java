package org.mscclj.dlpack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.dlpack.OtherSoftware.Field;

/** Tensors of other software as buffers. */
@ResourceLock(OtherSoftware.COUNTER)
class TensorImportTest {
    private LocalGroup group;
    private Device device;

    @BeforeEach
    void open() {
        OtherSoftware.require();
        OtherSoftware.deleted();
        group = LocalGroup.open(LocalGroupOptions.ranks(1).backend("host"));
        device = group.communicator(0).device();
    }

    @AfterEach
    void close() {
        if (group != null) {
            group.close();
        }
    }

    private ImportedTensor take(long address, boolean versioned) {
        TensorImport tensor = TensorImport.of(device, address);
        return (versioned ? tensor : tensor.unversioned()).take();
    }

    private static float at(DeviceBuffer buffer, long index) {
        return buffer.segment().getAtIndex(ValueLayout.JAVA_FLOAT, index);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aTensorIsABufferUntilItIsClosed(boolean versioned) {
        long address = OtherSoftware.make(versioned, 5, 7, 24);
        ImportedTensor tensor = take(address, versioned);
        assertEquals(TensorLayout.contiguous(DataType.FLOAT32, 5, 7), tensor.layout());
        assertEquals(35 * Float.BYTES, tensor.buffer().byteSize());
        assertFalse(tensor.isReadOnly());
        group.communicator(0)
                .allReduce(tensor.buffer(), tensor.buffer(), DataType.FLOAT32, ReduceOp.SUM)
                .join();
        assertEquals(34, at(tensor.buffer(), 34));
        DeviceBuffer.Hold hold = tensor.buffer().hold();
        assertThrows(InvalidArgumentException.class, tensor::close);
        hold.close();
        assertEquals(0, OtherSoftware.deleted());
        tensor.close();
        tensor.close();
        assertEquals(1, OtherSoftware.deleted());
    }

    @Test
    void closingTheBufferOrClosingOnAVirtualThreadDeletesItToo() throws InterruptedException {
        take(OtherSoftware.make(true, 2, 2, 0), true).buffer().close();
        assertEquals(1, OtherSoftware.deleted());
        ImportedTensor other = take(OtherSoftware.make(false, 2, 2, 0), false);
        Thread.ofVirtual().start(other::close).join();
        assertEquals(1, OtherSoftware.deleted());
    }

    @Test
    void denseTensorsOfAnyOrderAreTaken() {
        try (ImportedTensor tensor = take(OtherSoftware.make(true, 3, 4, 1, 3), true)) {
            assertEquals(List.of(1L, 3L), tensor.layout().strides());
            assertEquals(12 * Float.BYTES, tensor.buffer().byteSize());
        }
        assertEquals(1, OtherSoftware.deleted());
    }

    @Test
    void emptyTensorsAreTaken() {
        ImportedTensor tensor = take(OtherSoftware.make(true, 0, 4, 0), true);
        assertEquals(0, tensor.buffer().byteSize());
        tensor.close();
        tensor.close();
        assertEquals(1, OtherSoftware.deleted());
    }

    @Test
    void readOnlyTensorsMustBeAllowed() {
        long address = OtherSoftware.make(true, 2, 2, 0);
        OtherSoftware.set(address, Field.FLAGS, 1);
        refuse(InvalidArgumentException.class, address, "allowReadOnly()");
        try (ImportedTensor tensor =
                TensorImport.of(device, address).allowReadOnly().take()) {
            assertTrue(tensor.isReadOnly());
        }
        assertEquals(1, OtherSoftware.deleted());
    }

    @Test
    void aTensorWithoutDeleterIsTaken() {
        long address = OtherSoftware.make(true, 2, 2, 0);
        OtherSoftware.set(address, Field.DELETER, 0);
        take(address, true).close();
        assertEquals(0, OtherSoftware.deleted());
    }

    @Test
    void unsupportedTensorsAreRefusedAndStayWithTheCaller() {
        Map.of(
                        Map.entry(Field.DEVICE_TYPE, 2L), "device of the tensor is kDLCUDA 0; allowed: kDLCPU 0",
                        Map.entry(Field.DEVICE_ID, 1L), "device of the tensor is kDLCPU 1; allowed: kDLCPU 0")
                .forEach((change, words) -> refuse(InvalidArgumentException.class, change, words));
        Map.of(
                        Map.entry(Field.CODE, 6L), "type code 6, 32 bits, 1 lanes",
                        Map.entry(Field.BITS, 128L), "type code 2, 128 bits, 1 lanes",
                        Map.entry(Field.LANES, 4L), "type code 2, 32 bits, 4 lanes",
                        Map.entry(Field.MAJOR, 2L), "DLPack 2.3; supported: 1.x")
                .forEach((change, words) -> refuse(UnsupportedException.class, change, words));
        for (long dimensions : new long[] {-1, 65}) {
            refuse(InvalidArgumentException.class, Map.entry(Field.DIMENSIONS, dimensions), "0 to 64");
        }
        refuse(InvalidArgumentException.class, OtherSoftware.make(true, 3, 4, 5, 1), "gaps or overlaps");
        refuse(InvalidArgumentException.class, OtherSoftware.make(true, 3, 4, 0, 1), "gaps or overlaps");
        refuse(
                InvalidArgumentException.class,
                OtherSoftware.make(true, 3, 4, -4, 1),
                "strides is [-4, 1], for shape [3, 4]");
        refuse(InvalidArgumentException.class, OtherSoftware.make(true, 3, 4, 2), "multiple of the 4 bytes");
        assertThrows(InvalidArgumentException.class, () -> TensorImport.of(device, 0));
        assertEquals(0, OtherSoftware.deleted());
    }

    private void refuse(Class<? extends MsccljException> kind, Map.Entry<Field, Long> change, String words) {
        long address = OtherSoftware.make(true, 3, 4, 0);
        OtherSoftware.set(address, change.getKey(), change.getValue());
        refuse(kind, address, words);
    }

    private void refuse(Class<? extends MsccljException> kind, long address, String words) {
        MsccljException refused = assertThrows(kind, () -> take(address, true));
        assertTrue(String.valueOf(refused.getMessage()).contains(words), refused::getMessage);
    }
}
