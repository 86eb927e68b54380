#!/usr/bin/env python3
"""measure.py REPORT COMMAND...: runs the command; writes to REPORT its CPU time, the largest memory of berth itself and of
any process that it started. Exit status: the command's."""
import os
import resource
import subprocess
import sys
import time


def status_kib(pid, key):
    try:
        with open(f'/proc/{pid}/status') as file:
            return max([int(line.split()[1]) for line in file if line.startswith(key)], default=0)
    except OSError:
        return 0


def main():
    process = subprocess.Popen(sys.argv[2:])
    peak = 0
    while process.poll() is None:
        peak = max(peak, status_kib(process.pid, 'VmHWM'))
        time.sleep(0.05)
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(sys.argv[1], 'w') as file:
        print(f'- CPU time {usage.ru_utime + usage.ru_stime:.2f} s; peak memory of berth {peak / 1024:.1f} MiB, of the largest '
              f'process {usage.ru_maxrss / 1024:.1f} MiB', file=file)
    sys.exit(process.returncode)


main()
