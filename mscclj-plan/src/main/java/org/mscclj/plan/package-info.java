/** Execution plans: model, JSON, DSL, verifier, simulator. */
@NullMarked
package org.mscclj.plan;

import org.jspecify.annotations.NullMarked;
