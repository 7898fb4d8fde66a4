/**
 * JSON documents of any kind: a reader that checks values and names the position of a fault, and a writer. The formats
 * are in the packages of what they describe.
 */
@NullMarked
package org.mscclj.plan.document;

import org.jspecify.annotations.NullMarked;
