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
 * How to show memory to other software as a tensor. Immutable; {@link #create} makes any number of tensors.
 *
 * <p>The memory is a buffer's, from its start: give a {@linkplain DeviceBuffer#slice slice} for a tensor in the middle.
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
     * A writable tensor in a {@code DLManagedTensorVersioned}.
     *
     * @param device the device that the buffer was allocated on
     * @param buffer where the elements are
     * @param layout their type, shape and strides
     * @throws InvalidArgumentException if the elements do not lie inside the buffer, or at multiples of their size
     * @throws UnsupportedException if DLPack has no name for the device
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
     * The same in a {@code DLManagedTensor}, the structure before DLPack 1.0, which says neither its version nor
     * whether it is read-only.
     */
    public TensorExport unversioned() {
        if (readOnly) {
            throw new InvalidArgumentException(
                    "a tensor in a DLManagedTensor cannot be read-only; use a DLManagedTensorVersioned");
        }
        return new TensorExport(device, buffer, layout, TensorForm.UNVERSIONED, false);
    }

    /** The same, not to be written. Nothing but the consumer's good manners enforces that. */
    public TensorExport readOnly() {
        if (form == TensorForm.UNVERSIONED) {
            throw new InvalidArgumentException(
                    "a tensor in a DLManagedTensor cannot be read-only; use a DLManagedTensorVersioned");
        }
        return new TensorExport(device, buffer, layout, form, true);
    }

    /**
     * Makes a tensor, which holds the buffer: closing that throws until the tensor has been deleted.
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
