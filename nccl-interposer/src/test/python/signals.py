"""Python around the VM: KeyboardInterrupt, faulthandler before and after, SIGUSR2, forked workers, and an end without a call."""

import ctypes
import faulthandler
import os
import signal
import sys
import tempfile

log = tempfile.TemporaryFile()
if sys.argv[1] == "before":
    faulthandler.enable(log)
# Python leaves SIGINT ignored where it was, as in commands that a shell runs in the background.
signal.signal(signal.SIGINT, signal.default_int_handler)
received = []
signal.signal(signal.SIGUSR2, lambda number, frame: received.append(number))

nccl = ctypes.CDLL("libnccl.so.2")
nccl.ncclGetLastError.restype = ctypes.c_char_p
unique_id = ctypes.create_string_buffer(128)
assert nccl.ncclGetUniqueId(unique_id) == 0, nccl.ncclGetLastError(None)
if sys.argv[1] == "after":
    faulthandler.enable(log)
for _ in range(20):  # exceptions and implicit checks of Java, with signals of its own
    assert nccl.ncclGetUniqueId(unique_id) == 0, nccl.ncclGetLastError(None)

os.kill(os.getpid(), signal.SIGUSR2)
assert received == [signal.SIGUSR2], received
try:
    os.kill(os.getpid(), signal.SIGINT)
    while True:
        pass
except KeyboardInterrupt:
    pass


def end_of(work):
    child = os.fork()
    if child == 0:
        os._exit(work())
    return os.waitpid(child, 0)[1]


assert end_of(lambda: 0 if sum(range(1000)) == 499500 else 1) == 0
assert end_of(lambda: nccl.ncclGetUniqueId(unique_id)) >> 8 == 2
assert os.WTERMSIG(end_of(lambda: os.kill(os.getpid(), signal.SIGSEGV) or 0)) == signal.SIGSEGV
assert os.WTERMSIG(end_of(os.abort)) == signal.SIGABRT
print("passed")
