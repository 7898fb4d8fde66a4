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
 * The description of a tensor of other software in this process, for use as a buffer. Immutable.
 *
 * <p>Such memory is plain: {@link Device#adoptMemory(long, long, Runnable)} explains the consequences for collectives
 * and peers.
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
     * Describes a writable tensor in a {@code DLManagedTensorVersioned}.
     *
     * @param device device that must own the memory
     * @param address address of the structure; an invalid address crashes the process
     */
    public static TensorImport of(Device device, long address) {
        Objects.requireNonNull(device, "device");
        if (address == 0) {
            throw InvalidArgumentException.of("tensor", "at address 0", "the address of a DLManagedTensorVersioned");
        }
        return new TensorImport(device, address, TensorForm.VERSIONED, false);
    }

    /** This tensor in a {@code DLManagedTensor}, the structure before DLPack 1.0. */
    public TensorImport unversioned() {
        return new TensorImport(device, address, TensorForm.UNVERSIONED, readOnly);
    }

    /** This tensor, also accepted if it is read-only: the caller uses it as an input only. */
    public TensorImport allowReadOnly() {
        return new TensorImport(device, address, form, true);
    }

    /**
     * Takes the tensor over: its deleter is called once, when the result has been closed and the memory is no longer in
     * use.
     *
     * @throws InvalidArgumentException if the tensor is on another device, is not dense, is read-only, or is outside of
     *     the device's memory
     * @throws UnsupportedException if the tensor has another major version of DLPack or an unsupported type, if the
     *     backend cannot use foreign memory, or if this module may not call native code. After any exception the tensor
     *     still belongs to the caller, which must delete it
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
