/** Helpers for backends that own memory: who uses an allocation, and when it may be freed. */
package org.mscclj.spi.memory;
