/** Support for the pages that this project writes: each is one self-contained HTML file. */
@NullMarked
package org.mscclj.analysis.html;

import org.jspecify.annotations.NullMarked;
