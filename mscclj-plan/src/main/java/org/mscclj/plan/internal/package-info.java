/** Helpers of this module; not exported. */
package org.mscclj.plan.internal;
