package org.mscclj.backend.cuda.gpu;

/** What results of a driver mean. */
public interface GpuErrors {
    /** The result of a call that has not failed. */
    int SUCCESS = 0;

    /** The symbolic name of a result. */
    String name(int result);

    /** What the driver says about a result. */
    String text(int result);
}
