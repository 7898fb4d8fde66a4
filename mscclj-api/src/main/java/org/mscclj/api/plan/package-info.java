/** Execution plans: loading, preparing, registering and selecting them. */
package org.mscclj.api.plan;
