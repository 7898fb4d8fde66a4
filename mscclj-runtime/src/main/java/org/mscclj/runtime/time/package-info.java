/**
 * Deadlines of waits. A {@link org.mscclj.runtime.time.Deadline} is a time: it passes also while this process is
 * stopped. It limits single steps, for example over sockets and files, and several threads may share it. A
 * {@link org.mscclj.runtime.time.RunningDeadline} counts only the time in which this process runs: a call that waits
 * for other ranks uses it, so that it does not report them as late when a stopped process goes on.
 */
package org.mscclj.runtime.time;
