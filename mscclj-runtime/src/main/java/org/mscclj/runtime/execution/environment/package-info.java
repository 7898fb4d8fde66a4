/**
 * What a communicator gives its executors on one rank: its parts, its options, and the checks of a call's arguments.
 */
package org.mscclj.runtime.execution.environment;
