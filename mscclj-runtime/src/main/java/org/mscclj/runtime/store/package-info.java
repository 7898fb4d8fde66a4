/** Stores that processes share: in memory, in a folder, by TCP. */
package org.mscclj.runtime.store;
