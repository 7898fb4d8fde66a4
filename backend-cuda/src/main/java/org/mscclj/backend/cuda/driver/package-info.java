/** The driver's state in this process: its initialisation, its results as exceptions, and JCuda's native library. */
@org.jspecify.annotations.NullMarked
package org.mscclj.backend.cuda.driver;
