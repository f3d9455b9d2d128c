"""Stands in for aider, which no npm package brings: it reads the files, talks to the model and draws as aider does."""
import json
import os
import pathlib
import subprocess
import sys
import urllib.request

RULE = "─" * 80
HISTORY = pathlib.Path(".aider.chat.history.md")
SHELL = {"name": "bash", "parameters": {"type": "object", "properties": {"command": {"type": "string"}}}}
messages = []


def show(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def remember(role, content):
    messages.append({"role": role, "content": content})
    with HISTORY.open("a", encoding="utf8") as history:
        history.write(json.dumps(messages[-1]) + "\n")


def answer():
    """Prints an answer as it comes; returns the command that the model wants to run, if any."""
    body = {"model": os.environ["AIDER_MODEL"], "messages": messages, "tools": [{"function": SHELL}], "stream": True}
    request = urllib.request.Request(
        os.environ["OPENAI_API_BASE"] + "/chat/completions",
        json.dumps(body).encode(),
        {"content-type": "application/json", "authorization": "Bearer " + os.environ["OPENAI_API_KEY"]},
    )
    show("\n░█        Waiting for " + body["model"])
    text, call, begun = "", "", False
    with urllib.request.urlopen(request) as stream:
        for line in stream:
            if not line.startswith(b"data: {"):
                continue
            delta = json.loads(line[6:])["choices"][0]["delta"]
            piece = delta.get("content") or delta.get("reasoning_content") or ""
            if piece and not begun:
                show("\r\033[K")
                begun = True
            text += delta.get("content") or ""
            show(piece)
            for one in delta.get("tool_calls") or []:
                call += one["function"].get("arguments") or ""
    show("\n\n" if begun else "\r\033[K")
    remember("assistant", text)
    return json.loads(call)["command"] if call else None


def work():
    command = answer()
    while command is not None:
        show(command + "\nRun shell command? (Y)es/(N)o/(D)on't ask again [Yes]: ")
        if input().strip().lower() not in ("", "y", "yes"):
            return
        run = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
        messages.append({"role": "tool", "content": run.stdout + run.stderr})
        command = answer()
    show("Tokens: 1.2k sent, 40 received.\n")


def main():
    if "--version" in sys.argv:
        return print("aider 0.86.2")
    print("Aider v0.86.2\nMain model: " + os.environ["AIDER_MODEL"] + " with diff edit format")
    settings = pathlib.Path.home() / ".aider.conf.yml"
    print("Settings: " + settings.read_text(encoding="utf8").strip())
    if "--restore-chat-history" in sys.argv and HISTORY.exists():
        messages.extend(json.loads(line) for line in HISTORY.read_text(encoding="utf8").splitlines())
        print("\n".join(one["content"] for one in messages[-6:]))
    while True:
        print(RULE)
        try:
            remember("user", input("> "))
            work()
        except KeyboardInterrupt:
            print("\n\n^C KeyboardInterrupt")
        except EOFError:
            return None


main()
