/** Support for the pages that this project writes: each is one self-contained HTML file. */
@NullMarked
package org.mscclj.plan.html;

import org.jspecify.annotations.NullMarked;
