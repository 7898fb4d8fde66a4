/** Stores that processes share: in memory, in a folder, and over TCP. */
package org.mscclj.runtime.store;
