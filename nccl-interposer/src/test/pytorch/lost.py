"""A rank is killed. The other one must end with an exception that names it.

lost.py starts both ranks itself: torchrun would end the other rank. Exits with 0 if the text names rank 1.
"""

import os
import re
import signal
import subprocess
import sys
import time


def rank():
    import torch
    import torch.distributed as dist

    number = int(os.environ["RANK"])
    device = torch.device("cuda", number)
    torch.cuda.set_device(device)
    dist.init_process_group("nccl", device_id=device)
    for _ in range(20):
        dist.all_reduce(torch.ones(1000, device=device))
    torch.cuda.synchronize()
    if number == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    start = time.monotonic()
    try:
        while time.monotonic() - start < 60:
            dist.all_reduce(torch.ones(1000, device=device))
            torch.cuda.synchronize()
    except Exception as exception:
        text = f"{type(exception).__name__}: {exception}"
        print(f"after {time.monotonic() - start:.2f} s: {text}", flush=True)
        os._exit(0 if re.search(r"\brank 1\b", text) else 3)
    os._exit(4)


def main():
    ranks = []
    for number in range(2):
        environment = dict(os.environ, RANK=str(number), WORLD_SIZE="2", MASTER_ADDR="127.0.0.1", MASTER_PORT="29517")
        environment["TORCH_NCCL_BLOCKING_WAIT"] = "1"
        ranks.append(subprocess.Popen([sys.executable, __file__, "rank"], env=environment))
    code = ranks[0].wait(timeout=120)
    print(f"lost: rank 0 ended with {code}, rank 1 with {ranks[1].wait()}")
    raise SystemExit(code)


if sys.argv[1:] == ["rank"]:
    rank()
else:
    main()
