/** Work that may never end, and resources that are opened and closed together. */
package org.mscclj.conformance.task;
