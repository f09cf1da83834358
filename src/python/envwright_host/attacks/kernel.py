"""Parts of the kernel that have been a way out."""

from __future__ import annotations

import ctypes
import os
import sys
from typing import Optional

from .processes import _raw
from .registry import attack


@attack("kernel")
def set_up_io_uring() -> Optional[str]:
    parameters = ctypes.create_string_buffer(256)
    return _raw(425, 425, 1, ctypes.addressof(parameters))


@attack("kernel")
def nest_a_user_namespace() -> Optional[str]:
    return _raw(272, 97, 0x10000000)


@attack("kernel")
def nest_a_mount_namespace() -> Optional[str]:
    return _raw(272, 97, 0x00020000)


@attack("kernel")
def enter_the_hosts_namespace() -> Optional[str]:
    return _raw(308, 268, 3, 0)


@attack("kernel")
def mount_a_file_system() -> Optional[str]:
    name = ctypes.create_string_buffer(b"tmpfs")
    place = ctypes.create_string_buffer(b"/")
    return _raw(165, 40, ctypes.addressof(name), ctypes.addressof(place), ctypes.addressof(name), 0, 0)


@attack("kernel")
def open_a_file_system() -> Optional[str]:
    name = ctypes.create_string_buffer(b"proc")
    return _raw(430, 430, ctypes.addressof(name), 0)


@attack("kernel")
def load_a_bpf_program() -> Optional[str]:
    attributes = ctypes.create_string_buffer(128)
    return _raw(321, 280, 0, ctypes.addressof(attributes), 128)


@attack("kernel")
def open_a_performance_counter() -> Optional[str]:
    attributes = ctypes.create_string_buffer(128)
    return _raw(298, 241, ctypes.addressof(attributes), 0, -1, -1, 0)


@attack("kernel")
def handle_own_page_faults() -> Optional[str]:
    return _raw(323, 282, 0)


@attack("kernel")
def add_a_key() -> Optional[str]:
    return _raw(250, 219, 0, -3, 1)


@attack("kernel")
def change_its_user() -> Optional[str]:
    os.setuid(0)
    return "became root" if sys.platform == "linux" else None


@attack("kernel")
def gain_capabilities() -> Optional[str]:
    header = ctypes.create_string_buffer((0x20080522).to_bytes(4, sys.byteorder) + bytes(4))
    data = ctypes.create_string_buffer(b"\xff" * 24)
    return _raw(126, 91, ctypes.addressof(header), ctypes.addressof(data))


@attack("kernel")
def allow_dumps_again() -> Optional[str]:
    return _raw(157, 167, 4, 1, 0, 0, 0)


@attack("kernel")
def relax_its_filter() -> Optional[str]:
    return _raw(317, 277, 0, 0, 0)


@attack("kernel")
def change_the_machines_name() -> Optional[str]:
    name = ctypes.create_string_buffer(b"x")
    return _raw(170, 161, ctypes.addressof(name), 1)


@attack("kernel")
def wait_on_descriptors_of_the_kernel() -> Optional[str]:
    return _raw(291, 20, 0)


@attack("kernel")
def open_by_handle() -> Optional[str]:
    handle = ctypes.create_string_buffer(128)
    return _raw(304, 265, -100, ctypes.addressof(handle), 0)
