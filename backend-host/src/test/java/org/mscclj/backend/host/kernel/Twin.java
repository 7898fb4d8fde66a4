package org.mscclj.backend.host.kernel;

/** Which of the two implementations is tested. */
public enum Twin {
    SCALAR,
    VECTOR
}
