/**
 * Events for JDK Flight Recorder. Where nothing records, they cost less than a nanosecond and no memory. Those that are
 * rare are in every recording, the others in those that ask for them, as the settings in {@code mscclj.jfc} do. None
 * has a stack trace.
 */
package org.mscclj.runtime.event;
