/**
 * Connects ranks in separate processes: they find each other at the address of rank 0, and each rank connects to every
 * other.
 */
package org.mscclj.runtime.bootstrap;
