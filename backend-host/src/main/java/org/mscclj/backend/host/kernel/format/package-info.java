/** Formats of elements in memory: scalar loads and stores, and conversions of vectors. */
package org.mscclj.backend.host.kernel.format;
