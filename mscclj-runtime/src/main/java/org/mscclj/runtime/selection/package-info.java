/** The registry of plans, and the selection of an algorithm for a call, with the reasons for it. */
package org.mscclj.runtime.selection;
