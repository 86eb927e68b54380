"""Devices."""

from __future__ import annotations

import dataclasses
from typing import Any, List, Optional, Union

from ._berth import ffi, lib
from ._library import Log, call, text
from ._options import Given

_KINDS = {lib.BERTH_DEVICE_CPU: "CPU", lib.BERTH_DEVICE_GPU: "GPU", lib.BERTH_DEVICE_OTHER: "other"}


@dataclasses.dataclass(frozen=True)
class Device:
    """Facts about a device.

    Attributes
    ----------
    number
        from 0, as `berth devices` has them
    kind
        "CPU", "GPU" or "other"
    name
        as its driver calls it
    platform
        of OpenCL, or CUDA
    driver
        its version
    compute_units
        cores, or what the driver takes for such
    clock
        MHz; 0: the driver does not say
    memory
        bytes
    standard
        the one that one device is, by default
    """

    number: int
    kind: str
    name: str
    platform: str
    driver: str
    compute_units: int
    clock: int
    memory: int
    standard: bool


def find(options: Any, log: Log) -> Any:
    """A handle of the devices that these options of a run choose."""
    found = ffi.new("berth_devices **")
    call(lib.berth_devices_find, options, log, found)
    return ffi.gc(found[0], lib.berth_devices_free)


def devices(choice: Optional[Union[str, int]] = "all") -> List[Device]:
    """The devices that there are.

    Parameters
    ----------
    choice
        "all"; None: those that are like the fastest-looking one, which dockings take by default;
        else one or several with commas between them, each a number, a part of a name, or "cuda:0".

    Raises DeviceError (there is none), UsageError (no such device).
    """
    with Given("dock", {"device": choice}) as given:
        handle = find(given.handle(), Log())
    found = []
    for i in range(lib.berth_devices_count(handle)):
        facts = lib.berth_devices_get(handle, i)
        found.append(
            Device(
                number=facts.number,
                kind=_KINDS[facts.kind],
                name=text(facts.name),
                platform=text(facts.platform),
                driver=text(facts.driver),
                compute_units=facts.compute_units,
                clock=facts.clock,
                memory=facts.memory,
                standard=bool(facts.standard),
            )
        )
    return found
