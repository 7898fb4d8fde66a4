/** The registry of plans and the choice among them. */
package org.mscclj.runtime.selection;
