package org.mscclj.api.device;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.util.Objects;
import java.util.OptionalLong;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;

/**
 * A device of a backend: a GPU, or a rank's share of the host's cores. Safe for use by several threads.
 *
 * <p>Calls on the device, its streams and its buffers preserve the CUDA context that is current for the calling
 * platform thread, so that other software in that thread keeps its GPU. A thread without a current context may get the
 * device's.
 */
public interface Device {
    /** The backend, for example {@code host}. */
    String backend();

    /** Position among the backend's devices. */
    int index();

    /** A text that describes the device. */
    String description();

    /**
     * Allocates zeroed memory that this device, and peers that can map it, can access.
     *
     * @param bytes size in bytes, 0 or more
     * @throws org.mscclj.api.error.InvalidArgumentException if the size is negative
     * @throws org.mscclj.api.error.BackendException if there is not enough memory
     */
    DeviceBuffer allocate(long bytes);

    /**
     * Allocates zeroed memory of the host that this device accesses too, at the buffer's
     * {@linkplain DeviceBuffer#address address}: pinned memory on GPUs, as {@code cudaHostAlloc} gives, and ordinary
     * memory on the CPU. {@link DeviceBuffer#segment} is the memory itself, so data that the host writes there needs no
     * copy.
     *
     * <p>{@link Stream#copy} from it and to it does not block the host, and can be captured. For collectives and
     * point-to-point calls it is plain memory: they reach it through scratch. On GPUs peers cannot map it, so it is
     * refused where a mapping is needed: for windows, for channels, and for plans whose ranks access each other's
     * buffers.
     *
     * <p>The host may write the input of a launch until the launch is enqueued, and read its output once the launch has
     * ended. A thread that reads or writes the segment itself does not count as a user: the buffer can be closed
     * meanwhile, and accesses throw {@link IllegalStateException} after that.
     *
     * <p>Pinned memory cannot be swapped out, and a driver may wait for running kernels while it allocates or frees it:
     * allocate it once, before the first launch that waits for other ranks.
     *
     * @param bytes size in bytes, 0 or more
     * @throws org.mscclj.api.error.InvalidArgumentException if the size is negative
     * @throws org.mscclj.api.error.BackendException if there is not enough memory, or the system cannot pin more memory
     */
    DeviceBuffer allocateHost(long bytes);

    /**
     * The free memory of the device, in bytes; empty if the backend cannot determine it. Other processes may allocate
     * or free memory before this returns.
     */
    default OptionalLong freeMemory() {
        return OptionalLong.empty();
    }

    /** Creates a stream. */
    Stream createStream();

    /** Creates a stream with a priority. Devices without priorities, such as the host's, ignore it. */
    default Stream createStream(StreamPriority priority) {
        Objects.requireNonNull(priority, "priority");
        return createStream();
    }

    /**
     * Wraps a stream that other software has created on this device, by its native handle. The native stream must live
     * until the result is closed, since threads of mscclj query its progress, and later launches on other streams wait
     * for it. Closing the result does not destroy the native stream, and enqueued work continues.
     *
     * @param nativeHandle the driver's handle, for example a {@code CUstream} of CUDA; 0 and {@code CU_STREAM_LEGACY}
     *     are CUDA's null stream
     * @throws org.mscclj.api.error.InvalidArgumentException if it belongs to another device, or denotes a different
     *     stream in each thread, as {@code CU_STREAM_PER_THREAD} does
     * @throws org.mscclj.api.error.UnsupportedException if the backend has no native streams
     */
    default Stream adoptStream(long nativeHandle) {
        throw new UnsupportedException("backend " + backend() + " has no native streams");
    }

    /**
     * {@link #adoptMemory(long, long, Runnable)} without a notification when the memory may be freed.
     *
     * @param address its start, as a device address
     * @param bytes its size, in bytes
     * @throws org.mscclj.api.error.InvalidArgumentException if it is not memory of this device
     * @throws org.mscclj.api.error.UnsupportedException if the backend cannot use foreign memory
     */
    default DeviceBuffer adoptMemory(long address, long bytes) {
        return adoptMemory(address, bytes, () -> {});
    }

    /**
     * Memory that other software has allocated on this device, by its address. It must stay allocated until
     * {@code release} is called; closing the result does not free it. Such memory is plain, unless it lies in memory of
     * {@link org.mscclj.api.Communicator#allocate}: collectives reach it through scratch, since only what all ranks
     * have allocated together can be named among them.
     *
     * <p>Peers map it where it is named explicitly: registered with {@link org.mscclj.api.Communicator#channels}, or
     * given to {@link org.mscclj.api.Communicator#prepare(org.mscclj.api.plan.PlanCall)} for a plan whose ranks access
     * each other's buffers. If they cannot, the exception states the reason. On GPUs:
     *
     * <ul>
     *   <li>Memory of {@code cuMemAlloc} ({@code cudaMalloc}) goes to other processes by the driver's legacy IPC, which
     *       is <em>not fault-tolerant</em>: a peer's mapping does not keep the memory allocated. Before the owner frees
     *       it, peers must have closed everything that they have created with it; {@code release} does not wait for
     *       peers in other processes. If the owner ends or is killed while a peer accesses the memory, that peer's
     *       device may fail as a whole, and with it the peer's process. The peer maps the whole allocation, which may
     *       also hold other data of the owner.
     *   <li>Virtual memory ({@code cuMemCreate}) that can be exported as a file descriptor is mapped like memory of
     *       {@link #allocate}, and outlives its owner.
     *   <li>Memory from pools ({@code cudaMallocAsync}), managed memory, and memory that lies in several pieces cannot
     *       be mapped by peers.
     * </ul>
     *
     * @param address its start, as a device address
     * @param bytes its size, in bytes
     * @param release called once, when the buffer has been closed and no peer of this process maps the memory any more:
     *     by the thread that closes the last mapping, in any context of the driver. It must not throw
     * @throws org.mscclj.api.error.InvalidArgumentException if it is not memory of this device; {@code release} is not
     *     called
     * @throws org.mscclj.api.error.UnsupportedException if the backend cannot use foreign memory; {@code release} is
     *     not called
     */
    default DeviceBuffer adoptMemory(long address, long bytes, Runnable release) {
        Objects.requireNonNull(release, "release");
        throw new UnsupportedException("backend " + backend() + " cannot use foreign memory");
    }

    /**
     * {@link #adoptMemory(long, long, Runnable)} of a native segment, such as a segment that other software has
     * allocated through FFM. The garbage collector does not free the segment until {@code release} has been called; the
     * owner of its arena must not close the arena before.
     *
     * @throws InvalidArgumentException if it is on the Java heap, or not memory of this device; {@code release} is not
     *     called
     * @throws org.mscclj.api.error.UnsupportedException if the backend cannot use foreign memory; {@code release} is
     *     not called
     */
    default DeviceBuffer adoptMemory(MemorySegment memory, Runnable release) {
        Objects.requireNonNull(memory, "memory");
        Objects.requireNonNull(release, "release");
        if (!memory.isNative()) {
            throw InvalidArgumentException.of(
                    "memory", memory, "a native segment, since objects of the Java heap move");
        }
        return adoptMemory(memory.address(), memory.byteSize(), () -> {
            try {
                release.run();
            } finally {
                Reference.reachabilityFence(memory);
            }
        });
    }

    /** Creates an event that has not been recorded. */
    Event createEvent();

    /**
     * Compiles a kernel and loads it. This may take a second or more, unless this source was compiled before, and may
     * wait for running kernels: compile before the launch of any kernel that waits for other ranks.
     *
     * @param source in the backend's language, CUDA C++ for CUDA. It may include the files of the device library, such
     *     as {@code "mscclj/memorychannel.cuh"}, and no others
     * @param function the name of the kernel, an {@code extern "C" __global__} function
     * @throws UnsupportedException if the backend has no kernels
     * @throws org.mscclj.api.error.InvalidArgumentException if there is no such function, or no such file of the device
     *     library
     * @throws org.mscclj.api.error.BackendException if the source does not compile; the message has the compiler's log
     */
    default DeviceKernel compile(String source, String function) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(function, "function");
        throw new UnsupportedException("backend " + backend() + " compiles no kernels (DEVICE_CHANNELS)");
    }

    /**
     * {@link #compile(String, String)} of a file, which may also include headers of its own, by {@code "quotes"} and
     * relative to the file that includes them. Compiled code is kept, and found again by all that decides about it: the
     * texts of the file, of its headers and of the device library, the compiler and its version, its options, and the
     * architecture of the device. The file may have several kernels; each call loads one.
     *
     * @param function the name of the kernel, an {@code extern "C" __global__} function
     * @param file a file of source in UTF-8
     * @throws UnsupportedException if the backend has no kernels
     * @throws org.mscclj.api.error.InvalidArgumentException if there is no such function, or if the file or one that it
     *     includes cannot be read
     * @throws org.mscclj.api.error.BackendException if the source does not compile; the message has the compiler's log
     */
    default DeviceKernel compileNative(String function, Path file) {
        Objects.requireNonNull(function, "function");
        Objects.requireNonNull(file, "file");
        throw new UnsupportedException("backend " + backend() + " compiles no kernels (DEVICE_CHANNELS)");
    }
}
