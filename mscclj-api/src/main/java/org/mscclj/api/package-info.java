/**
 * The API that applications compile against: {@link org.mscclj.api.Communicator communicators},
 * {@link org.mscclj.api.LocalGroup groups of ranks}, {@link org.mscclj.api.Work work in flight}, data types and reduce
 * operations. The implementation is found by {@link java.util.ServiceLoader} through {@link org.mscclj.api.Platform}.
 */
package org.mscclj.api;
