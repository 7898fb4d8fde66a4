package org.mscclj.gpu.driver;

import java.lang.foreign.MemorySegment;

/** What is being captured, graphs that captures have made, and what graphs own. */
public interface GraphCalls {
    /**
     * Writes what a stream's capture is.
     *
     * @param status an int: 1 if the stream is being captured
     * @param id a long that tells captures of the process apart
     * @param graph the graph that is being made
     */
    int captureInfo(long stream, MemorySegment status, MemorySegment id, MemorySegment graph);

    /** Makes a graph launchable, and writes that. */
    int instantiate(MemorySegment executable, long graph);

    /** Destroys a graph; what was made of it stays. */
    int destroy(long graph);

    /** Does now what the first launch would otherwise do. */
    int upload(long executable, long stream);

    /** Launches a graph. Allocates nothing. */
    int launch(long executable, long stream);

    /** Destroys what {@link #instantiate} has made. */
    int destroyExecutable(long executable);

    /**
     * Makes an object of which the driver says when its last reference is gone; the caller has one.
     *
     * @param object where to write it
     * @param argument of the destructor
     * @param destructor address of a C function of one pointer, which a thread of the driver calls then
     */
    int createUserObject(MemorySegment object, long argument, long destructor);

    /** Gives up a reference of an object. */
    int releaseUserObject(long object);

    /** The graph, and all that is made of it, own the object from now on, instead of the caller. */
    int giveUserObject(long graph, long object);
}
