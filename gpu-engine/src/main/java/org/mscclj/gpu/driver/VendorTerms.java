package org.mscclj.gpu.driver;

/**
 * A vendor's terms in messages for users.
 *
 * @param vendor the maker of the GPUs, as {@code NVIDIA}
 * @param api the programming interface, as {@code CUDA}
 * @param queuesVariable the environment variable that sets the number of hardware queues
 * @param devicesVariable the environment variable that hides GPUs from a process
 * @param streams the functions that create streams
 * @param allocation the functions that allocate memory which peers can map
 * @param poolAllocation the function that allocates from a memory pool
 * @param managedAllocation the function that allocates managed memory
 * @param privateAllocation how virtual memory is created that other processes cannot map
 * @param topology how a user finds out which GPUs can access each other
 * @param link the interconnect of GPUs that can access each other
 * @param parameterSizes what to do if the driver does not know the parameters of a kernel
 */
public record VendorTerms(
        String vendor,
        String api,
        String queuesVariable,
        String devicesVariable,
        String streams,
        String allocation,
        String poolAllocation,
        String managedAllocation,
        String privateAllocation,
        String topology,
        String link,
        String parameterSizes) {}
