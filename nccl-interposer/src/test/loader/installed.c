/* An installed NCCL, which says a version that no NCCL has. */
#include <string.h>

int ncclGetVersion(int *version) {
    *version = 1;
    return 0;
}

int ncclGetUniqueId(char *id) {
    memset(id, 7, 128);
    return 0;
}
