#include "mscclj/portchannel.cuh"

// Multiplies this rank's rows of A by B into its rows of C, tile by tile. One thread has each finished tile put into
// the peer's C by the proxy, while the others compute the next one. For one block of any number of threads. C is target
// and origin of the channel. With `tile` as large as `rows` nothing overlaps.
extern "C" __global__ void product(const mscclj::PortChannel* channel, const int* a, const int* b, int* c,
                                   unsigned firstRow, unsigned rows, unsigned inner, unsigned columns, unsigned tile) {
    // The first warp computes nothing, if there are others: a request waits until earlier writes of the block are
    // visible to the proxy, which takes long while others write.
    const unsigned idle = blockDim.x > 32 ? 32 : 0;
    bool alive = true; // of thread 0
    if (threadIdx.x == 0) {
        alive = channel->signal(); // the peer may write my C
    }
    for (unsigned done = 0; done < rows; done += tile) {
        unsigned first = firstRow + done;
        unsigned count = rows - done < tile ? rows - done : tile;
        for (unsigned at = threadIdx.x - idle; threadIdx.x >= idle && at < count * columns; at += blockDim.x - idle) {
            unsigned row = first + at / columns;
            unsigned column = at % columns;
            int sum = 0;
            for (unsigned i = 0; i < inner; i++) {
                sum += a[row * inner + i] * b[i * columns + column];
            }
            c[row * columns + column] = sum;
        }
        __syncthreads(); // the tile is complete, and one thread may speak for all
        if (threadIdx.x == 0) {
            if (done == 0) {
                alive = alive && channel->wait(); // I may write the peer's C
            }
            unsigned long long offset = (unsigned long long)first * columns * sizeof(int);
            unsigned long long bytes = (unsigned long long)count * columns * sizeof(int);
            alive = alive && channel->put(offset, offset, bytes);
        }
    }
    if (threadIdx.x == 0 && alive) {
        // My tiles are with the peer, the peer's are here, and C may change.
        bool complete = channel->signal() && channel->wait() && channel->flush();
        (void)complete; // the host asks Channel.checkWaits()
    }
}
