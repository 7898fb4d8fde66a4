/**
 * The C functions that this backend calls: those of HIP, of hipRTC, and of the library that knows its targets. If a
 * library or a function is missing, only calls of it throw. The functions are those that HIP 5.6, 6 and 7 have in
 * common, unless a class says otherwise.
 */
@org.jspecify.annotations.NullMarked
package org.mscclj.backend.rocm.ffm;
