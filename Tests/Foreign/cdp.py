#!/usr/bin/env python3
"""Drives a headless Chromium through its debugging pipe, with nothing but the standard library.

    cdp.py URL STEPS

STEPS is a JSON array, done in order:
    {"size": [WIDTH, HEIGHT]}   the window, in CSS pixels
    {"dark": true}              what the person prefers
    {"wait": EXPRESSION}        until it is true in the page
    {"click": SELECTOR}         presses the mouse in the middle of an element
    {"key": "Enter"}            presses a key: Enter, Tab or Space
    {"type": TEXT}              into what has the focus
    {"evaluate": EXPRESSION}    its value becomes a result
    {"screenshot": PATH}        the whole page as PNG

Writes {"results": [...], "complaints": [...]}; complaints are errors and refusals of the page's own policy.
"""
import base64
import fcntl
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

KEYS = {"Enter": ("Enter", 13, "\r"), "Tab": ("Tab", 9, ""), "Space": ("Space", 32, " ")}


class Browser:
    def __init__(self, profile):
        commands, self.commands = os.pipe()
        self.answers, answers = os.pipe()
        # Away from 3 and 4, where the browser expects them.
        theirs = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (commands, answers)]

        def place():
            for number, end in zip((3, 4), theirs):
                os.dup2(end, number)

        self.process = subprocess.Popen(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--hide-scrollbars", "--remote-debugging-pipe", "--user-data-dir=" + profile, "about:blank"],
            pass_fds=(3, 4), preexec_fn=place, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for end in (commands, answers, *theirs):
            os.close(end)
        self.buffer = b""
        self.number = 0
        self.session = None
        self.events = []

    def receive(self):
        while b"\0" not in self.buffer:
            piece = os.read(self.answers, 1 << 16)
            if not piece:
                raise SystemExit("the browser has gone")
            self.buffer += piece
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise SystemExit(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def attach(self):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise SystemExit(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def wait(self, expression, seconds=30):
        end = time.monotonic() + seconds
        while not self.evaluate(expression):
            if time.monotonic() > end:
                raise SystemExit(f"never true: {expression}\n{self.evaluate('document.body.outerHTML')}")
            time.sleep(0.05)

    def click(self, selector):
        box = self.evaluate(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: 'center'}});"
            " const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    def press(self, key):
        code, number, text = KEYS[key]
        name = " " if key == "Space" else key
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=code, windowsVirtualKeyCode=number, text=text)

    def screenshot(self, path):
        data = self.call("Page.captureScreenshot", captureBeyondViewport=True)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def complaints(self):
        texts = []
        for event in self.events:
            if event.get("method") == "Runtime.exceptionThrown":
                texts.append(str(event["params"]["exceptionDetails"]))
            if event.get("method") == "Log.entryAdded" and event["params"]["entry"]["level"] in ("error", "warning"):
                texts.append(event["params"]["entry"]["text"])
        return texts

    def do(self, step):
        (verb, value), = step.items()
        if verb == "size":
            self.call("Emulation.setDeviceMetricsOverride", width=value[0], height=value[1], deviceScaleFactor=1,
                      mobile=False)
        elif verb == "dark":
            scheme = "dark" if value else "light"
            self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        elif verb == "wait":
            self.wait(value)
        elif verb == "click":
            self.click(value)
        elif verb == "key":
            self.press(value)
        elif verb == "type":
            self.call("Input.insertText", text=value)
        elif verb == "evaluate":
            return [self.evaluate(value)]
        elif verb == "screenshot":
            self.screenshot(value)
        else:
            raise SystemExit(f"no such step: {verb}")
        return []


def main():
    profile = tempfile.mkdtemp(prefix="cdp-")
    browser = Browser(profile)
    try:
        browser.attach()
        browser.call("Page.navigate", url=sys.argv[1])
        browser.wait("document.readyState === 'complete'")
        results = [result for step in json.loads(sys.argv[2]) for result in browser.do(step)]
        json.dump({"results": results, "complaints": browser.complaints()}, sys.stdout)
    finally:
        browser.process.kill()
        browser.process.wait()
        shutil.rmtree(profile, ignore_errors=True)


main()
