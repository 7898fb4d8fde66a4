/* A library that needs NCCL, as the wheels of PyTorch have one. */
int ncclGetVersion(int *version);

int framework_version(void) {
    int version = 0;
    ncclGetVersion(&version);
    return version;
}
