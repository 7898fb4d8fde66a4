/** Files of measured choices: their model and their JSON. */
package org.mscclj.plan.tuning;
