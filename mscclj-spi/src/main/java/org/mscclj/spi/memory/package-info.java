/**
 * Helpers for backends that own memory: they track the users of an allocation, free it, and find the processes that can
 * share it.
 */
package org.mscclj.spi.memory;
