/** Ranks on emulated GPUs, with a library that stands in for NCCL. */
package org.mscclj.cli.emulation;
