/** Plans as text for people. */
package org.mscclj.plan.text;
