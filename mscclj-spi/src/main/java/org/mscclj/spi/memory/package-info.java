/**
 * Helpers for backends that own memory: who uses an allocation, when it may be freed, and which processes can share it.
 */
package org.mscclj.spi.memory;
