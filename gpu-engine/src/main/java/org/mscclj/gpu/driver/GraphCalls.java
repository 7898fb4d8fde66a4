package org.mscclj.gpu.driver;

import java.lang.foreign.MemorySegment;

/** Captures that are under way, graphs that captures have made, and objects that graphs own. */
public interface GraphCalls {
    /**
     * Writes the state of a stream's capture.
     *
     * @param status an int: 1 if the stream is being captured
     * @param id a long that identifies the capture in this process
     * @param graph the graph that is being made
     */
    int captureInfo(long stream, MemorySegment status, MemorySegment id, MemorySegment graph);

    /** Instantiates a graph, and writes the executable graph. */
    int instantiate(MemorySegment executable, long graph);

    /** Destroys a graph. Executable graphs made from it remain. */
    int destroy(long graph);

    /** Does the set-up now that the first launch would otherwise do. */
    int upload(long executable, long stream);

    /** Launches a graph. Allocates nothing. */
    int launch(long executable, long stream);

    /** Destroys an executable graph of {@link #instantiate}. */
    int destroyExecutable(long executable);

    /**
     * Creates an object that calls a destructor when its last reference is released. The caller has one reference.
     *
     * @param object where to write it
     * @param argument of the destructor
     * @param destructor address of a C function with one pointer parameter, which a thread of the driver calls then
     */
    int createUserObject(MemorySegment object, long argument, long destructor);

    /** Releases a reference to an object. */
    int releaseUserObject(long object);

    /**
     * Moves the caller's reference to an object to a graph. From now on the graph, and everything made from it, own the
     * object.
     */
    int giveUserObject(long graph, long object);
}
