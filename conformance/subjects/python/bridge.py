"""A small MCP bridge: servers over stdio, tools under names of our own, calls with text for a model.

    bridge = Bridge(on_change=lambda: None, on_log=lambda level, server, message: print(message))
    await bridge.add(ServerConfig("files", "npx", ["-y", "@modelcontextprotocol/server-filesystem", "."]))
    outcome = await bridge.call(next(iter(bridge.tools)), {"path": "README.md"})
    await bridge.close()

Python 3.9+ on POSIX, standard library only, one event loop. Nothing that a server sends may hang the bridge, fill its
memory or end it, and no server may harm another; that is where most lines go.
"""
from __future__ import annotations

import asyncio
import hashlib
import json
import os
import re
import signal
import subprocess
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Callable, Optional

PROTOCOLS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")  # the first is asked for, each is accepted
CLIENT = {"name": "python-bridge", "version": "1.0.0"}
MAX_MESSAGE_BYTES = 64 * 2**20  # one line of a server; a screenshot has a few MiB
MAX_UNREAD_BYTES = 16 * 2**20  # what is kept for a server that does not read
MAX_TOOLS = 50_000  # of one list
MAX_IDLE_PAGES = 50  # pages in a row that bring nothing new: such a list never ends
MAX_TEXT_CHARS = 400_000  # of one result, for the model
MAX_NOISE_LINES = 5  # reported of one process; the rest is skipped in silence
STDERR_TAIL_BYTES = 2_000  # the last words of a server, told when it fails
QUIET, MAX_QUIET = 0.05, 1.0  # seconds from an announcement to the listing; doubles while they keep coming
DRAIN = 0.2  # seconds for what a dead process wrote to arrive; a helper may hold its pipes for ever
KILL_PROOF = 2.0  # seconds for a killed process group to be gone
ANSWERED = re.compile(rb'^{"jsonrpc":\s?"2.0",\s?"id":\s?(\d+),|,\s?"id":\s?(\d+)}\s*$')  # of what is too deep to read
WITHHELD = re.compile("KEY|PASSWORD|SECRET|TOKEN", re.IGNORECASE)  # variables of the host that no server inherits

Tool = namedtuple("Tool", "name description parameters raw_name server")  # as it is offered, and whose it is
# How a call ended. status: ok, tool-error, failed, timed-out. executed: yes, no, unknown. text: for the model.
Outcome = namedtuple("Outcome", "status executed text value", defaults=[None])


class BridgeError(Exception): """What went wrong, in words for a person."""
class RequestTimeout(BridgeError): """No answer within the limit."""


@dataclass
class ServerConfig:
    """How one server is started, and the limits, in seconds, that it has to keep."""
    name: str
    command: str
    args: list[str] = field(default_factory=list)
    env: dict[str, str] = field(default_factory=dict)
    cwd: Optional[str] = None
    connect_timeout: float = 60.0
    list_timeout: float = 60.0  # for all pages
    call_timeout: float = 60.0
    close_grace: float = 2.0  # from the end of input to SIGTERM
    terminate_grace: float = 2.0  # from SIGTERM to SIGKILL
    reconnect: bool = True
    reconnect_delay: float = 0.1  # before the first attempt; doubles up to the next
    reconnect_max_delay: float = 5.0
    reconnect_attempts: int = 10  # in one outage


def public_name(server: str, raw_name: str) -> str:
    """Says what it is to a reader, and by the digest is one tool's alone, whatever a server calls its tools."""
    digest = hashlib.sha256(json.dumps([server, raw_name]).encode()).hexdigest()[:16]
    server, raw_name = (re.sub("[^A-Za-z0-9_-]", "_", part) for part in (server, raw_name))
    return f"{server[:16]}_{raw_name[:30]}_{digest}"


def parse(line: bytes) -> Any:
    """One message. Raises ValueError or RecursionError; `int` refuses NaN and Infinity, which are not JSON."""
    return json.loads(line.decode("utf-8-sig"), parse_constant=int)


class Connection:
    """One process of a server, from its start to the end of its process group."""

    def __init__(self, config: ServerConfig, log: Callable[[str, str], None]) -> None:
        self.loop, self.config, self.log = asyncio.get_running_loop(), config, log
        self.process: Optional[subprocess.Popen] = None
        self.stdin, self.tasks = None, []  # a transport; the readers of stdout and stderr, and who awaits the exit
        self.lost: asyncio.Future = self.loop.create_future()  # becomes the reason
        self.changed = asyncio.Event()  # the tool list was announced to be another one
        self.pending: dict[int, asyncio.Future] = {}  # each becomes the message that answers
        self.last_id, self.noise, self.partial, self.stderr = 0, 0, bytearray(), b""
        self.secrets = re.compile("|".join(re.escape(value) for value in config.env.values() if len(value) >= 6) or "(?!)")

    async def open(self) -> None:
        """Starts the process and shakes hands."""
        inherited = {name: value for name, value in os.environ.items() if not WITHHELD.search(name)}
        try:  # a session of its own is a process group of its own, which can be ended as a whole
            self.process = subprocess.Popen(
                [self.config.command, *self.config.args], env={**inherited, **self.config.env}, cwd=self.config.cwd,
                bufsize=0, start_new_session=True, **dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE))
        except (OSError, ValueError) as error:
            raise BridgeError(f"cannot start {self.config.command!r}: {error}") from error
        # Waited for in a thread: asyncio's own way may wait for the pipes too, and a helper can hold those.
        self.exited = self.loop.run_in_executor(ThreadPoolExecutor(1), self.process.wait)
        self.tasks = [asyncio.ensure_future(work) for work in (
            self._pump(self.process.stdout, self._read), self._pump(self.process.stderr, self._read_stderr),
            self._after_exit())]
        self.stdin, _ = await self.loop.connect_write_pipe(asyncio.BaseProtocol, self.process.stdin)
        hello = {"protocolVersion": PROTOCOLS[0], "capabilities": {}, "clientInfo": CLIENT}
        answer = await self.request("initialize", hello, self.config.connect_timeout)
        if answer.get("protocolVersion") not in PROTOCOLS:
            raise BridgeError(f"the server speaks protocol {answer.get('protocolVersion')!r}, this bridge {PROTOCOLS}")
        self.send({"method": "notifications/initialized"})

    async def _pump(self, pipe: Any, take: Callable[[bytes], None]) -> None:
        reader = asyncio.StreamReader()
        transport, _ = await self.loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), pipe)
        try:
            while data := await reader.read(2**16):
                take(data)
        finally:
            transport.close()

    async def _after_exit(self) -> None:
        *readers, _ = self.tasks
        await asyncio.wait([self.exited, readers[0]], return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait([self.exited, *readers], timeout=DRAIN)
        self.lose(f"it ended with exit code {self.exited.result()}" if self.exited.done() else "its output ended")

    def lose(self, reason: str) -> None:
        """Everything that waits for an answer is told that none will come."""
        tail = self.secrets.sub("***", self.stderr.decode("utf-8", "replace").strip())
        if not self.lost.done():
            self.lost.set_result(BridgeError(f"{reason}; its last words: {tail}" if tail else reason))

    def send(self, message: dict[str, Any]) -> None:
        """To a server that is lost nothing is sent. Raises ValueError or RecursionError for what is no JSON."""
        line = json.dumps({"jsonrpc": "2.0", **message}, allow_nan=False, separators=(",", ":")).encode() + b"\n"
        if self.stdin.get_write_buffer_size() > MAX_UNREAD_BYTES:
            self.lose(f"the server does not read: {MAX_UNREAD_BYTES} bytes wait for it")
        if not self.lost.done():
            self.stdin.write(line)

    async def request(self, method: str, params: dict[str, Any], timeout: float) -> dict[str, Any]:
        """Sends it once. When it is given up, by its limit or a cancelled task, the server is told."""
        self.last_id += 1
        request_id, future = self.last_id, self.loop.create_future()
        self.send({"id": request_id, "method": method, "params": params})
        self.pending[request_id] = future
        try:
            await asyncio.wait([future, self.lost], timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
        finally:
            del self.pending[request_id]
            if not future.done() and method != "initialize":
                self.send({"method": "notifications/cancelled", "params": {"requestId": request_id}})
        if not future.done():
            raise self.lost.result() if self.lost.done() else RequestTimeout(f"{method}: no answer in {timeout:g} s")
        answer = future.result()
        if not isinstance(answer.get("result"), dict):
            error = answer["error"] if isinstance(answer.get("error"), dict) else {}
            raise BridgeError(self.secrets.sub("***", str(error.get("message") or f"{method}: no result came")))
        return answer["result"]

    def _read(self, data: bytes) -> None:
        """Messages end at LF and nowhere else, however the bytes are cut."""
        whole, newline, rest = data.rpartition(b"\n")
        if newline:
            lines, self.partial = bytes(self.partial + whole).split(b"\n"), bytearray()
            for line in lines:
                self._receive(line)
        self.partial += rest
        if len(self.partial) > MAX_MESSAGE_BYTES:
            self.partial.clear()
            self.lose(f"the server sent a message above {MAX_MESSAGE_BYTES} bytes")

    def _receive(self, line: bytes) -> None:
        if self.lost.done() or not line.strip():
            return
        try:
            message = parse(line)
        except (ValueError, RecursionError) as error:
            found = isinstance(error, RecursionError) and ANSWERED.search(line)
            message = found and {"id": int(found[1] or found[2]), "error": {"message": "the answer nests too deep"}}
        if not isinstance(message, dict):
            self.noise += 1
            if self.noise <= MAX_NOISE_LINES:
                self.log("warn", f"skipped {len(line)} bytes on stdout that are no message")
        elif "method" not in message:  # 1, "1", 1.0 and true are different ids, and only the first is like ours
            future = self.pending.get(message["id"]) if type(message.get("id")) is int else None
            if future is not None and not future.done():
                future.set_result(message)
        elif "id" in message:
            refusal = {"error": {"code": -32601, "message": "this client serves no request but ping"}}
            self.send({"id": message["id"], **({"result": {}} if message["method"] == "ping" else refusal)})
        elif message["method"] == "notifications/tools/list_changed":
            self.changed.set()

    def _read_stderr(self, data: bytes) -> None:
        self.stderr = (self.stderr + data)[-STDERR_TAIL_BYTES:]

    async def close(self) -> None:
        """Settles when the whole process group is gone: end of input, then SIGTERM, then SIGKILL."""
        self.lose("the connection was closed")
        if self.process is None:
            return
        if self.stdin is not None and not self.stdin.is_closing():
            self.stdin.abort()
        grace = 0.0 if self.exited.done() else self.config.close_grace  # who is left of a dead leader had its time
        for number, seconds in (0, grace), (signal.SIGTERM, self.config.terminate_grace), (signal.SIGKILL, KILL_PROOF):
            if await self._gone(number, seconds):
                break
        else:
            self.log("error", f"process group {self.process.pid} is not gone {KILL_PROOF:g} s after it was killed")
        for task in self.tasks:
            task.cancel()

    async def _gone(self, number: int, seconds: float) -> bool:
        """Signals the group, and asks for it with the signal 0 until it is gone: no group can be waited for."""
        deadline = self.loop.time() + seconds
        try:
            os.killpg(self.process.pid, number)
            while self.loop.time() < deadline:
                await asyncio.sleep(0.01)
                os.killpg(self.process.pid, 0)
            return False
        except (ProcessLookupError, PermissionError):  # macOS says the second of a group that has just ended
            return True


class Server:
    """One entry: its connections one after the other, and the tools of its last good listing."""

    def __init__(self, config: ServerConfig, bridge: Bridge) -> None:
        self.config, self.bridge, self.tools = config, bridge, {}
        self.log = lambda level, message: bridge.on_log(level, config.name, message)
        self.state, self.attempt, self.last_error = "connecting", 0, None
        self.connection, self.settled = None, asyncio.Event()  # the first attempt has succeeded or failed
        self.task = asyncio.ensure_future(self._run())

    async def close(self) -> None:
        """When it settles nothing is left, and nothing is started any more."""
        self.task.cancel()
        await asyncio.wait([self.task])
        self._swap({})
        self.settled.set()

    async def _run(self) -> None:
        """Connects again after each loss, with growing delays, until one outage has used up its attempts."""
        loop, config = asyncio.get_running_loop(), self.config
        while True:
            connection, ready_at, follower = Connection(config, self.log), None, None
            try:
                await connection.open()
                self._swap(await self._list(connection))
                self.connection, self.state, self.last_error, ready_at = connection, "ready", None, loop.time()
                self.settled.set()
                follower = asyncio.ensure_future(self._follow(connection))
                raise await asyncio.shield(connection.lost)
            except Exception as error:  # whatever a server managed to break is this server's failure alone
                self.last_error = str(error) or type(error).__name__
            finally:
                self.connection, self.state = None, "reconnecting"
                if follower is not None:
                    follower.cancel()
                await connection.close()  # no process begins before this one is gone
            if ready_at is not None and loop.time() - ready_at > config.reconnect_max_delay:
                self.attempt = 0
            what = "cannot be used" if ready_at is None else "was lost"
            if not config.reconnect or self.attempt >= config.reconnect_attempts:
                self.state = "failed"
                self.log("error", f"{what}, and is not tried again: {self.last_error}")
                self._swap({})
                return self.settled.set()
            delay = min(config.reconnect_delay * 2**self.attempt, config.reconnect_max_delay)
            self.attempt += 1
            self.log("warn", f"{what}, attempt {self.attempt} in {delay:g} s: {self.last_error}")
            self.settled.set()
            await asyncio.sleep(delay)

    async def _follow(self, connection: Connection) -> None:
        """Lists again after announcements: one listing at a time, and the more of them the longer the pause."""
        pause = QUIET
        while not connection.lost.done():
            await connection.changed.wait()
            await asyncio.sleep(pause)
            connection.changed.clear()  # what is announced from here on may not be in the coming list
            try:
                self._swap(await self._list(connection))
            except Exception as error:
                self.last_error = str(error) or type(error).__name__
                self.log("warn", f"the tool list could not be read again, the last one stays: {self.last_error}")
            pause = min(2 * pause, MAX_QUIET) if connection.changed.is_set() else QUIET

    async def _list(self, connection: Connection) -> dict[str, Tool]:
        """All pages, or an error: never a part of a list."""
        deadline = connection.loop.time() + self.config.list_timeout
        tools, odd, params, idle = {}, [], {}, 0
        while True:
            page = await connection.request("tools/list", params, max(0.0, deadline - connection.loop.time()))
            if not isinstance(page.get("tools"), list):
                raise BridgeError("the answer to tools/list has no list of tools")
            before, cursor = len(tools), page.get("nextCursor")
            for entry in page["tools"]:
                self._take(entry, tools, odd)
            idle = 0 if len(tools) > before else idle + 1
            if cursor is None and len(tools) <= MAX_TOOLS:
                if odd:
                    self.log("warn", f"{len(odd)} odd entries in the tool list: {'; '.join(odd[:20])}")
                return tools
            if not isinstance(cursor, str) or idle > MAX_IDLE_PAGES or len(tools) > MAX_TOOLS:
                raise BridgeError(f"the tool list is void after {len(tools)}: too many, endless, or an odd cursor")
            params = {"cursor": cursor}

    def _take(self, entry: Any, tools: dict[str, Tool], odd: list[str]) -> None:
        """An odd entry costs no other, and what becomes of it is said."""
        raw_name = entry.get("name") if isinstance(entry, dict) else None
        if not isinstance(raw_name, str):
            return odd.append("one without a name is left out")
        name = public_name(self.config.name, raw_name)
        if name in tools:
            return odd.append(f"{raw_name[:60]!r} is listed twice, the first one counts")
        text, schema = entry.get("description"), entry.get("inputSchema")
        if not isinstance(schema, dict):
            odd.append(f"{raw_name[:60]!r} has no input schema, it is offered as taking any object")
            schema = {"type": "object"}
        tools[name] = Tool(name, text if isinstance(text, str) else "", schema, raw_name, self.config.name)

    def _swap(self, tools: dict[str, Tool]) -> None:
        if list(tools.values()) != list(self.tools.values()):
            self.tools = tools
            self.bridge.publish()

    async def call(self, tool: Tool, arguments: dict[str, Any]) -> Outcome:
        connection, executed = self.connection, "no"
        try:
            if connection is None or connection.lost.done():
                raise BridgeError(f"the server {self.config.name!r} is {self.state}: {self.last_error}")
            executed, params = "unknown", {"name": tool.raw_name, "arguments": arguments}
            result = await connection.request("tools/call", params, self.config.call_timeout)
        except (BridgeError, ValueError, RecursionError) as error:
            status = "timed-out" if isinstance(error, RequestTimeout) else "failed"
            return Outcome(status, executed, text_for_model([{"type": "text", "text": str(error)}]))
        if not isinstance(content := result.get("content", []), list):
            return Outcome("failed", "yes", text_for_model([{"type": "text", "text": f"content that is no list: {content!r}"}]))
        if not content and "structuredContent" in result:  # it is all there is to show
            content = [{"type": "text", "text": json.dumps(result["structuredContent"], ensure_ascii=False)}]
        value = {key: result[key] for key in ("content", "structuredContent") if key in result}
        return Outcome("tool-error" if result.get("isError") is True else "ok", "yes", text_for_model(content), value)


def text_for_model(content: list[Any]) -> str:
    """Texts as they are, anything else as a note in its place; payloads and halves of characters are left out."""
    def shown(block: Any) -> str:
        if not isinstance(block, dict):
            return f"[malformed block: {type(block).__name__}]"
        if block.get("type") == "text" and isinstance(block.get("text"), str):
            return block["text"]
        inner = block["resource"] if isinstance(block.get("resource"), dict) else {}
        facts = (block.get("type"), block.get("name"), block.get("uri"), inner.get("uri"), block.get("mimeType"))
        return f"[block not shown: {', '.join(fact[:60] for fact in facts if isinstance(fact, str)) or 'malformed'}]"
    text = "\n".join(map(shown, content))
    if len(text) > MAX_TEXT_CHARS:
        text = f"{text[:MAX_TEXT_CHARS]}\n[cut: {len(text) - MAX_TEXT_CHARS} more characters]"
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if text.strip() else "(no content)"


class Bridge:
    """All servers of a host. `on_change()` is told of other tools, `on_log(level, server, message)` of the rest."""

    def __init__(self, on_change: Callable[[], None], on_log: Callable[[str, str, str], None]) -> None:
        self.on_change, self.on_log = on_change, on_log
        self.servers: dict[str, Server] = {}
        self.tools: dict[str, Tool] = {}  # by public name; in order of servers, then as listed

    def publish(self) -> None:
        self.tools = {name: tool for server in self.servers.values() for name, tool in server.tools.items()}
        self.on_change()

    async def add(self, config: ServerConfig) -> Server:
        """Settles when the first attempt has; its `state` says how. Raises BridgeError when the name is taken."""
        if config.name in self.servers:
            raise BridgeError(f"there is a server {config.name!r} already; remove it first, or choose another name")
        server = self.servers[config.name] = Server(config, self)
        await server.settled.wait()
        return server

    async def remove(self, name: str) -> None:
        """Settles when no process of it is left. Raises BridgeError when there is no such server."""
        if name not in self.servers:
            raise BridgeError(f"there is no server {name!r}")
        await self.servers[name].close()
        self.servers.pop(name, None)

    async def close(self) -> None:
        await asyncio.gather(*(self.remove(name) for name in list(self.servers)))

    async def call(self, name: str, arguments: dict[str, Any]) -> Outcome:
        """Raises nothing but CancelledError, when the task that awaits it is cancelled; the server is told then."""
        if name not in self.tools:
            return Outcome("failed", "no", f"there is no tool {name!r}")
        return await self.servers[self.tools[name].server].call(self.tools[name], arguments)
