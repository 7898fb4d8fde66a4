/**
 * Parts for backends: a {@linkplain org.mscclj.support.interpreter reference interpreter} of plans, and what a simple
 * backend needs around it.
 */
package org.mscclj.support;
