/**
 * Events for JDK Flight Recorder. Where nothing records, they cost less than a nanosecond and no memory. Rare events
 * are in every recording; the others are in recordings that request them, as the settings in {@code mscclj.jfc} do. No
 * event has a stack trace.
 */
package org.mscclj.runtime.event;
