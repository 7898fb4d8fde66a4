package org.mscclj.gpu.driver;

/** Copies and fills in a stream. The methods allocate nothing. */
public interface CopyCalls {
    /** Copies within a device or between devices; addresses may also be of pinned memory. */
    int withinDevices(long destination, long source, long bytes, long stream);

    /** Copies to pinned memory. A copy to other memory of the host may block. */
    int toHost(long destination, long source, long bytes, long stream);

    /** Copies from pinned memory. A copy from other memory of the host may block. */
    int fromHost(long destination, long source, long bytes, long stream);

    /** Fills memory with zeros. */
    int zero(long address, long bytes, long stream);
}
