#!/usr/bin/env python3
"""Runs a command and prints what energy NVIDIA's first GPU took meanwhile, by the driver's own counter
(NVML); and every SECONDS (0: never) the command's last line of progress, its memory, threads and
processor time, and the energy so far.

Usage: energy.py SECONDS COMMAND...    for example: energy.py 30 build/berth screen ... --device 0
"""
import ctypes
import os
import subprocess
import sys
import tempfile
import time


class Counter:
    """The energy that a GPU has taken since its driver was loaded."""

    def __init__(self):
        try:
            self.nvml = ctypes.CDLL('libnvidia-ml.so.1')
        except OSError as error:
            sys.exit(f'energy.py: {error}')
        self.gpu = ctypes.c_void_p()
        if self.nvml.nvmlInit_v2() or self.nvml.nvmlDeviceGetHandleByIndex_v2(0, ctypes.byref(self.gpu)):
            sys.exit('energy.py: NVML finds no GPU')

    def joules(self):
        millijoules = ctypes.c_ulonglong()
        if self.nvml.nvmlDeviceGetTotalEnergyConsumption(self.gpu, ctypes.byref(millijoules)):
            sys.exit('energy.py: this GPU counts no energy')
        return millijoules.value / 1000


def describe(process, progress):
    """The last line of progress, MB, threads and processor time (s) of a process; None: it has ended."""
    try:
        with open(f'/proc/{process.pid}/status') as lines:
            status = dict(line.split(':', 1) for line in lines)
        with open(f'/proc/{process.pid}/stat') as line:
            ticks = line.read().rsplit(')', 1)[1].split()[11:13]
        memory, threads = int(status['VmRSS'].split()[0]) / 1000, status['Threads'].strip()
    except (OSError, KeyError):
        return None
    with open(progress) as text:
        last = text.read().replace('\r', '\n').strip().split('\n')[-1]
    used = sum(map(int, ticks)) / os.sysconf('SC_CLK_TCK')
    return f'{last}  {memory:.1f} MB  {threads} threads  {used:.1f} s of processors'


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    every, counter = float(sys.argv[1]), Counter()
    began, before = time.time(), counter.joules()
    time.sleep(3)
    idle = (counter.joules() - before) / (time.time() - began)
    with tempfile.NamedTemporaryFile() as progress:
        began, before, shown = time.time(), counter.joules(), 1
        process = subprocess.Popen(sys.argv[2:], stdout=subprocess.DEVNULL, stderr=progress)
        while process.poll() is None:
            time.sleep(0.1)
            if every and time.time() - began >= shown * every:
                shown += 1
                line = describe(process, progress.name)
                if line:
                    print(f'{time.time() - began:.0f} s  {line}  {counter.joules() - before:.0f} J', flush=True)
        took, energy = time.time() - began, counter.joules() - before
    print(f'exit {process.returncode}: {took:.2f} s, {energy:.0f} J, {energy / took:.0f} W; before: {idle:.0f} W')
    sys.exit(process.returncode)


if __name__ == '__main__':
    main()
