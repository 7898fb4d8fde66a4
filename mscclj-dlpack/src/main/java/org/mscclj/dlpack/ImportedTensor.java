package org.mscclj.dlpack;

import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.dlpack.ffm.ManagedTensor;

/** A tensor of other software as a buffer. Thread-safe. */
public final class ImportedTensor implements AutoCloseable {
    private final DeviceBuffer buffer;
    private final TensorLayout layout;
    private final ManagedTensor managed;

    ImportedTensor(DeviceBuffer buffer, TensorLayout layout, ManagedTensor managed) {
        this.buffer = buffer;
        this.layout = layout;
        this.managed = managed;
    }

    /** The elements in the order of their addresses. Closing the buffer closes the tensor. */
    public DeviceBuffer buffer() {
        return buffer;
    }

    /** Type, shape and strides of the elements. */
    public TensorLayout layout() {
        return layout;
    }

    /** Whether the owner forbids writes. */
    public boolean isReadOnly() {
        return managed.isReadOnly();
    }

    /**
     * Returns the tensor to its owner: its deleter is called once, now or when the last peer of this process has
     * unmapped the memory, by the thread that does so, or by a platform thread on behalf of a virtual one. Idempotent.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if operations, registrations or holders still use the
     *     buffer
     */
    @Override
    public void close() {
        buffer.close();
        if (layout.elements() == 0) {
            managed.delete(); // no buffer was adopted, which would delete the tensor
        }
    }
}
