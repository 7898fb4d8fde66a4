/** The calls of NCCL, as a library in C passes them on by JNI: numbers, addresses and arrays. */
package org.mscclj.interposer;
