/**
 * The API that applications compile against: {@link org.mscclj.api.Communicator communicators},
 * {@link org.mscclj.api.LocalGroup groups of ranks}, {@link org.mscclj.api.Work work in flight}, data types and reduce
 * operations. The implementation is found by {@link java.util.ServiceLoader} through {@link org.mscclj.api.Platform}.
 *
 * <p>This package has more than 25 types, and {@code Communicator} and {@code CommunicatorOptions} have more than 400
 * lines: an application finds each call of a communicator, and each option, in one place. Most of the lines are
 * documentation.
 */
package org.mscclj.api;
