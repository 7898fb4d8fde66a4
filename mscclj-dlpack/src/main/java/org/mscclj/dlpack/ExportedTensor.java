package org.mscclj.dlpack;

import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.dlpack.ffm.PublishedTensor;
import org.mscclj.dlpack.ffm.TensorFields;
import org.mscclj.dlpack.ffm.TensorForm;

/**
 * A tensor for other software in this process, to be handed over by its {@link #address}. The consumer calls its
 * deleter once, by any thread, at any time while this VM lives; until then the buffer cannot be closed. Safe for use by
 * several threads.
 */
public final class ExportedTensor {
    private final PublishedTensor published;

    private ExportedTensor(PublishedTensor published) {
        this.published = published;
    }

    static ExportedTensor of(TensorForm form, TensorFields fields, boolean readOnly, DeviceBuffer.Hold hold) {
        try {
            return new ExportedTensor(PublishedTensor.publish(form, fields, readOnly, hold::close));
        } catch (RuntimeException | Error e) {
            hold.close();
            throw e;
        }
    }

    /**
     * The address of the {@code DLManagedTensorVersioned}, or of the {@code DLManagedTensor} if it was asked for. What
     * lies there is gone when the tensor has been deleted.
     */
    public long address() {
        return published.address();
    }

    /** Whether the tensor has been deleted, so that the buffer can be closed. */
    public boolean isDeleted() {
        return published.isDeleted();
    }

    /**
     * Deletes a tensor that nobody has taken. A consumer that has it would then read memory that may be gone: never
     * call this once the address was handed over. Does nothing if it has been deleted.
     */
    public void delete() {
        published.delete();
    }
}
