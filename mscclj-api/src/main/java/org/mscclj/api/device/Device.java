package org.mscclj.api.device;

import org.mscclj.api.error.UnsupportedException;

/** A device of a backend: a GPU, or a rank's share of the host's cores. Safe for use by several threads. */
public interface Device {
    /** The backend, for example {@code host}. */
    String backend();

    /** Position among the backend's devices. */
    int index();

    /** What it is, in words. */
    String description();

    /**
     * Allocates zeroed memory that this device, and peers that can map it, can access.
     *
     * @param bytes size in bytes, 0 or more
     * @throws org.mscclj.api.error.InvalidArgumentException if the size is negative
     * @throws org.mscclj.api.error.BackendException if there is not enough memory
     */
    DeviceBuffer allocate(long bytes);

    /** Creates a stream. */
    Stream createStream();

    /**
     * A stream that other software has made on this device, by its native handle. It must live until what is enqueued here has ended; closing the
     * result leaves it alone.
     *
     * @param nativeHandle what the driver calls it: a {@code CUstream} of CUDA, for example
     * @throws org.mscclj.api.error.UnsupportedException if the backend has no native streams
     */
    default Stream adoptStream(long nativeHandle) {
        throw new UnsupportedException("backend " + backend() + " has no native streams");
    }

    /**
     * Memory that other software has allocated on this device, by its address. It must stay allocated until the result is closed, which leaves it
     * alone. Such memory is plain: peers reach it through scratch.
     *
     * @param address where it starts, as the device sees it
     * @param bytes its size, in bytes
     * @throws org.mscclj.api.error.UnsupportedException if the backend cannot use foreign memory
     */
    default DeviceBuffer adoptMemory(long address, long bytes) {
        throw new UnsupportedException("backend " + backend() + " cannot use foreign memory");
    }

    /** Creates an event that has not been recorded. */
    Event createEvent();

    /**
     * Compiles a kernel and loads it. May take a second or more, unless the same source was compiled before, and may wait for kernels that run: to be
     * done before any is launched that waits for others.
     *
     * @param source in the backend's language, CUDA C++ for CUDA. It may include the files of the device library, such as {@code
     *     "mscclj/memorychannel.cuh"}, and no others
     * @param function the kernel's name: of a function that is {@code extern "C" __global__}
     * @throws UnsupportedException if the backend has no kernels
     * @throws org.mscclj.api.error.InvalidArgumentException if there is no such function, or no such file of the device library
     * @throws org.mscclj.api.error.BackendException if the source does not compile; with the compiler's log
     */
    default DeviceKernel compile(String source, String function) {
        throw new UnsupportedException("backend " + backend() + " compiles no kernels (DEVICE_CHANNELS)");
    }
}
