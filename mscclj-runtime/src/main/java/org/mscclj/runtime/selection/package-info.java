/** Registry of plans, and selection of a plan. */
package org.mscclj.runtime.selection;
