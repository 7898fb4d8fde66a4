package org.mscclj.dlpack;

import java.util.Objects;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.DataType;
import org.mscclj.dlpack.ffm.ManagedTensor;
import org.mscclj.dlpack.ffm.NativePermission;
import org.mscclj.dlpack.ffm.TensorFields;
import org.mscclj.dlpack.ffm.TensorForm;

/**
 * How to use a tensor of other software in this process as a buffer. Immutable.
 *
 * <p>Such memory is plain: {@link Device#adoptMemory(long, long, Runnable)} says what that means for collectives and
 * for peers.
 */
public final class TensorImport {
    private final Device device;
    private final long address;
    private final TensorForm form;
    private final boolean readOnly;

    private TensorImport(Device device, long address, TensorForm form, boolean readOnly) {
        this.device = device;
        this.address = address;
        this.form = form;
        this.readOnly = readOnly;
    }

    /**
     * A writable tensor in a {@code DLManagedTensorVersioned}.
     *
     * @param device the device that its memory must be of
     * @param address of the structure; a wrong one ends the process
     */
    public static TensorImport of(Device device, long address) {
        Objects.requireNonNull(device, "device");
        if (address == 0) {
            throw InvalidArgumentException.of("tensor", "at address 0", "the address of a DLManagedTensorVersioned");
        }
        return new TensorImport(device, address, TensorForm.VERSIONED, false);
    }

    /** The same in a {@code DLManagedTensor}, the structure before DLPack 1.0. */
    public TensorImport unversioned() {
        return new TensorImport(device, address, TensorForm.UNVERSIONED, readOnly);
    }

    /**
     * The same, where a tensor that says that it is read-only is taken, too: the caller uses it as an input, and
     * nothing else.
     */
    public TensorImport allowReadOnly() {
        return new TensorImport(device, address, form, true);
    }

    /**
     * Takes the tensor over: its deleter is called once, when the result has been closed and nobody uses the memory any
     * more.
     *
     * @throws InvalidArgumentException if the tensor is on another device, is not dense, is read-only, or lies where
     *     the device has no memory
     * @throws UnsupportedException if it is of another major version of DLPack or of a type that we do not have, or if
     *     the backend cannot use foreign memory, or this module may not call native code. After any exception the
     *     tensor still belongs to the caller, who deletes it
     */
    public ImportedTensor take() {
        NativePermission.require();
        ManagedTensor managed = ManagedTensor.read(form, address);
        TensorFields fields = managed.fields();
        TensorLayout layout = layout(fields);
        requireDevice(fields);
        if (managed.isReadOnly() && !readOnly) {
            throw new InvalidArgumentException(
                    "tensor is read-only; allowed: a writable one, or allowReadOnly() for one that is only an input");
        }
        if (!layout.isDense()) {
            throw InvalidArgumentException.of(
                    "tensor", layout + ", which has gaps or overlaps", "a dense one; make a contiguous copy");
        }
        return new ImportedTensor(adopt(managed, layout), layout, managed);
    }

    private DeviceBuffer adopt(ManagedTensor managed, TensorLayout layout) {
        if (layout.elements() == 0) {
            return device.allocate(0); // such a tensor need not have an address
        }
        long start = managed.fields().data() + managed.fields().byteOffset();
        if (start % layout.type().byteSize() != 0) {
            throw InvalidArgumentException.of(
                    "start of the tensor",
                    "address 0x" + Long.toHexString(start),
                    "a multiple of the " + layout.type().byteSize() + " bytes of an element");
        }
        return device.adoptMemory(start, layout.byteSpan(), managed::delete);
    }

    private static TensorLayout layout(TensorFields fields) {
        DataType type = TensorType.of(fields.typeCode(), fields.bits(), fields.lanes());
        return fields.strides()
                .map(strides -> new TensorLayout(type, fields.shape(), strides))
                .orElseGet(() -> TensorLayout.contiguous(type, fields.shape()));
    }

    private void requireDevice(TensorFields fields) {
        TensorDevice wanted = TensorDevice.of(device);
        TensorDevice given = new TensorDevice(fields.deviceType(), fields.deviceId());
        if (!given.equals(wanted)) {
            throw InvalidArgumentException.of("device of the tensor", given, wanted + ", like the device");
        }
    }
}
