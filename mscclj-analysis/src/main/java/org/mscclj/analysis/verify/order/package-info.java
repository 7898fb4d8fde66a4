/** Orders between the steps of a symbolic run: vector clocks, and the orders in which ranks may count signals. */
package org.mscclj.analysis.verify.order;
