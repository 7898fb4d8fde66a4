/**
 * The communicator: the view that one rank has of a group.
 *
 * <p>{@code RuntimeCommunicator} has more than 400 lines, because the interface has many methods: each one checks its
 * arguments and delegates.
 */
package org.mscclj.runtime.communicator;
