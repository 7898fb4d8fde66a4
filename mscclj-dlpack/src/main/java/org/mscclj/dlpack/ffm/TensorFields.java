package org.mscclj.dlpack.ffm;

import java.util.List;
import java.util.Optional;

/**
 * What a {@code DLTensor} says.
 *
 * @param data address of the memory; 0 if there are no elements
 * @param deviceType kind of device
 * @param deviceId its number
 * @param typeCode kind of elements
 * @param bits bits of an element, or of a lane of it
 * @param lanes 1, or more for elements that are vectors
 * @param shape sizes of the dimensions
 * @param strides distances in elements; empty means C order
 * @param byteOffset where the elements start in the memory
 */
public record TensorFields(
        long data,
        int deviceType,
        int deviceId,
        int typeCode,
        int bits,
        int lanes,
        List<Long> shape,
        Optional<List<Long>> strides,
        long byteOffset) {}
