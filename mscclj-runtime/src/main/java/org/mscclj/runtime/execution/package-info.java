/**
 * Preparation of plans: the executor of a rank, and the steps in which ranks set up a call or a class of calls
 * together.
 */
package org.mscclj.runtime.execution;
