package org.mscclj.dlpack;

import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.dlpack.ffm.PublishedTensor;
import org.mscclj.dlpack.ffm.TensorFields;
import org.mscclj.dlpack.ffm.TensorForm;

/**
 * A tensor for other software in this process, which receives its {@link #address}. The consumer calls the deleter
 * once, on any thread, at any time while this VM lives; until then the buffer cannot be closed. Thread-safe.
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
     * The address of the {@code DLManagedTensorVersioned}, or of the {@code DLManagedTensor} if that was requested.
     * Invalid once the tensor has been deleted.
     */
    public long address() {
        return published.address();
    }

    /** Whether the tensor has been deleted, so that the buffer can be closed. */
    public boolean isDeleted() {
        return published.isDeleted();
    }

    /**
     * Deletes a tensor that no consumer has taken. A consumer would read memory that may be freed, so never call this
     * once the address was handed over. Does nothing if the tensor has been deleted.
     */
    public void delete() {
        published.delete();
    }
}
