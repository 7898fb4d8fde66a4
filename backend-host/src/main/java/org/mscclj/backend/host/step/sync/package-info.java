/** Steps that synchronize: barriers, semaphores, signals and waits. */
package org.mscclj.backend.host.step.sync;
