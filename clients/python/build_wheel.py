"""Builds the wheel with the standard library alone, as pip and other front ends ask for it (PEP 517)."""

import base64
import hashlib
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
NAME = "muster_fleet"
VERSION = "0.1.0"
INFO = f"{NAME}-{VERSION}.dist-info"
METADATA = f"""Metadata-Version: 2.4
Name: muster-fleet
Version: {VERSION}
Summary: Typed client of muster, which runs fleets of coding agents in tmux windows
License-Expression: MIT
Requires-Python: >=3.10
Description-Content-Type: text/markdown

"""
WHEEL = "Wheel-Version: 1.0\nGenerator: build_wheel\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def get_requires_for_build_wheel(config_settings=None):
    return []


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Writes the wheel, the same bytes from the same files, and returns its name."""
    paths = sorted([*HERE.glob(f"{NAME}/**/*.py"), HERE / NAME / "py.typed"])
    contents = {path.relative_to(HERE).as_posix(): path.read_bytes() for path in paths}
    contents[f"{INFO}/METADATA"] = METADATA.encode() + (HERE / "README.md").read_bytes()
    contents[f"{INFO}/WHEEL"] = WHEEL.encode()
    record = "".join(f"{path},sha256={_digest(data)},{len(data)}\n" for path, data in contents.items())
    contents[f"{INFO}/RECORD"] = f"{record}{INFO}/RECORD,,\n".encode()
    name = f"{NAME}-{VERSION}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in contents.items():
            entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            wheel.writestr(entry, data)
    return name


def _digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    print(build_wheel(HERE))
