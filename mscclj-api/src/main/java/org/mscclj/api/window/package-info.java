/**
 * Windows: memory of each rank that the others read and write without its taking part, and signals that say when. The idea is that of MPI's one-sided
 * communication, and of TorchComm's windows.
 */
package org.mscclj.api.window;
