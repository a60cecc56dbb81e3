#!/usr/bin/env python3
"""Runs the commands of Documentation/Questions.md and puts what they print below them.

Usage: questions.py PROGRAM. The first block after each block of commands is its output.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "Documentation" / "Questions.md"
PAIR = re.compile(r"```sh\n(.*?)```\n\n```text\n(.*?)```\n", re.S)


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "pushsim").symlink_to(program)
        environment = dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}")

        def answered(match):
            commands = match.group(1)
            ran = subprocess.run(
                ["bash", "-e", "-c", commands], cwd=ROOT, env=environment, text=True, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, check=False,
            )
            # A claim that is missed or undecided is an answer too.
            if ran.returncode not in (0, 1, 75) or not ran.stdout:
                sys.exit(f"questions: status {ran.returncode} of\n{commands}\n{ran.stderr}")
            lines = [line.rstrip() for line in ran.stdout.splitlines()]
            return f"```sh\n{commands}```\n\n```text\n" + "\n".join(lines).strip("\n") + "\n```\n"

        text, count = PAIR.subn(answered, PAGE.read_text())
    if count != 10:
        sys.exit(f"questions: {count} commands with an output in {PAGE.name}, not 10")
    PAGE.write_text(text)


main()
