/**
 * The fallback of a communicator: another library, such as NCCL, that carries out calls which no plan and no shipped
 * program serves, and calls that a user gives to it. Its communicator is opened at the first such call, by all ranks
 * together. Its calls are launches like those of plans: recorded, watched, captured, in the order of the communicator.
 */
package org.mscclj.runtime.fallback;
