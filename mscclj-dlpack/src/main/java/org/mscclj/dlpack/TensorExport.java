package org.mscclj.dlpack;

import java.util.Objects;
import java.util.Optional;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.dlpack.ffm.NativePermission;
import org.mscclj.dlpack.ffm.TensorFields;
import org.mscclj.dlpack.ffm.TensorForm;

/**
 * The description of memory as a tensor for other software. Immutable; {@link #create} creates any number of tensors.
 *
 * <p>The tensor starts at the start of the buffer: use a {@linkplain DeviceBuffer#slice slice} for a tensor in the
 * middle.
 */
public final class TensorExport {
    private final Device device;
    private final DeviceBuffer buffer;
    private final TensorLayout layout;
    private final TensorForm form;
    private final boolean readOnly;

    private TensorExport(Device device, DeviceBuffer buffer, TensorLayout layout, TensorForm form, boolean readOnly) {
        this.device = device;
        this.buffer = buffer;
        this.layout = layout;
        this.form = form;
        this.readOnly = readOnly;
    }

    /**
     * Describes a writable tensor in a {@code DLManagedTensorVersioned}.
     *
     * @param device device on which the buffer was allocated
     * @param buffer memory of the elements
     * @param layout type, shape and strides of the elements
     * @throws InvalidArgumentException if the elements exceed the buffer, or are not aligned to their size
     * @throws UnsupportedException if DLPack has no type for the device
     */
    public static TensorExport of(Device device, DeviceBuffer buffer, TensorLayout layout) {
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(buffer, "buffer");
        Objects.requireNonNull(layout, "layout");
        TensorDevice _ = TensorDevice.of(device);
        if (layout.byteSpan() > buffer.byteSize()) {
            throw InvalidArgumentException.of(
                    "tensor",
                    layout + ", which takes " + layout.byteSpan() + " bytes",
                    "one inside the buffer's " + buffer.byteSize() + " bytes");
        }
        if (layout.elements() > 0 && buffer.address() % layout.type().byteSize() != 0) {
            throw InvalidArgumentException.of(
                    "buffer",
                    "at address 0x" + Long.toHexString(buffer.address()),
                    "a multiple of the " + layout.type().byteSize() + " bytes of an element");
        }
        return new TensorExport(device, buffer, layout, TensorForm.VERSIONED, false);
    }

    /**
     * This tensor in a {@code DLManagedTensor}, the structure before DLPack 1.0, which has neither a version nor a
     * read-only flag.
     */
    public TensorExport unversioned() {
        if (readOnly) {
            throw new InvalidArgumentException(
                    "a tensor in a DLManagedTensor cannot be read-only; use a DLManagedTensorVersioned");
        }
        return new TensorExport(device, buffer, layout, TensorForm.UNVERSIONED, false);
    }

    /** This tensor as read-only. Consumers must respect the flag; nothing enforces it. */
    public TensorExport readOnly() {
        if (form == TensorForm.UNVERSIONED) {
            throw new InvalidArgumentException(
                    "a tensor in a DLManagedTensor cannot be read-only; use a DLManagedTensorVersioned");
        }
        return new TensorExport(device, buffer, layout, form, true);
    }

    /**
     * Creates a tensor that holds the buffer: closing the buffer throws until the tensor has been deleted.
     *
     * @throws InvalidArgumentException if the buffer is closed
     * @throws UnsupportedException if this module may not call native code, or buffers of this kind cannot be held
     */
    public ExportedTensor create() {
        NativePermission.require();
        TensorDevice target = TensorDevice.of(device);
        TensorFields fields = new TensorFields(
                layout.elements() == 0 ? 0 : buffer.address(),
                target.type(),
                target.id(),
                TensorType.code(layout.type()),
                TensorType.bits(layout.type()),
                1,
                layout.shape(),
                Optional.of(layout.strides()),
                0);
        return ExportedTensor.of(form, fields, readOnly, buffer.hold());
    }
}
