/**
 * Exports device memory to other software in the same process as tensors, and imports theirs, by the structures of <a
 * href="https://dmlc.github.io/dlpack/latest/">DLPack</a> 1.x and of the versions before:
 * {@link org.mscclj.dlpack.TensorExport} and {@link org.mscclj.dlpack.TensorImport}. No data is copied, and nothing is
 * ordered: before a tensor is handed over, the caller must wait for the work that writes it, or pass the stream on
 * which the other side must wait.
 */
package org.mscclj.dlpack;
