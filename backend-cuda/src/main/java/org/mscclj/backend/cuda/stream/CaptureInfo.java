package org.mscclj.backend.cuda.stream;

/**
 * A capture that is under way.
 *
 * @param id tells captures of this process apart
 * @param graph the driver's {@code CUgraph} that is being made
 */
public record CaptureInfo(long id, long graph) {}
