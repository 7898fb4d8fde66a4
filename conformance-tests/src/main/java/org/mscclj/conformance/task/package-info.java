/** Work that may never end, and things that are opened and closed together. */
package org.mscclj.conformance.task;
