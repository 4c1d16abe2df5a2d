"""The way to bridge.py for `npx mcp-bridge-conformance certify --driver "python3 driver.py"`: JSON-RPC in lines.

Each `do_` method is one message of the protocol. What has none is answered with -32601, and is then not judged.
"""
import asyncio
import json
import os
import signal
import sys

from bridge import Bridge, BridgeError, ServerConfig, parse

OUT = os.fdopen(os.dup(1), "wb")  # stdout belongs to the protocol:
os.dup2(2, 1)  # whatever else prints, prints to stderr from here on
DESCRIPTION = {
    "adapter": 1, "name": "python-bridge", "version": "1.0.0",
    "levels": ["core", "resilience"], "registry": "push", "servers": "dynamic", "transports": ["stdio"],
    "names": {"scheme": "own", "pattern": "[A-Za-z0-9_-]+", "maxLength": 64, "qualified": True},
    "features": ["list-changes", "reconnect", "abort", "programs", "reload", "outcomes"],
    "options": ["toolCallTimeoutMs", "connectTimeoutMs", "closeGraceMs", "terminateGraceMs", "reconnect"],
    "bounds": {"settleMs": 3000, "closeMs": 7000, "reconnectMs": 6000},  # the longest that a user may have to wait
    "fidelity": {"keyOrder": True, "bigNumbers": True},
}
UNKNOWN = {"code": -32601, "message": "this driver does not know the method"}
LIMITS = {"toolCallTimeoutMs": "call_timeout", "connectTimeoutMs": "connect_timeout",
          "closeGraceMs": "close_grace", "terminateGraceMs": "terminate_grace",
          "initialDelayMs": "reconnect_delay", "maxDelayMs": "reconnect_max_delay"}


def config_of(spec: dict) -> ServerConfig:
    options = {**spec.get("options", {}), **spec.get("options", {}).get("reconnect", {})}
    limits = {LIMITS[key]: value / 1000 for key, value in options.items() if key in LIMITS}
    again = {"reconnect": options.get("enabled", True), "reconnect_attempts": options.get("maxAttempts", 10)}
    return ServerConfig(
        spec["name"], spec["command"], spec["args"], spec.get("env", {}), spec.get("cwd"), **limits, **again)


class Driver:
    def __init__(self) -> None:
        self.bridge, self.revision, self.calls = Bridge(self.on_change, self.on_log), 0, {}

    def write(self, **message) -> None:
        OUT.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        OUT.flush()

    def on_change(self) -> None:
        self.revision += 1
        self.write(method="registry", params=self.registry())

    def on_log(self, level: str, server: str, message: str) -> None:
        self.write(method="log", params={"level": level, "server": server, "message": f"{server}: {message}"})

    def registry(self) -> dict:
        return {"revision": self.revision, "tools": [
            {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
            for tool in self.bridge.tools.values()]}

    async def do_describe(self, params): return DESCRIPTION
    async def do_add(self, params): return await self.start(config_of(params["server"]))
    async def do_remove(self, params): await self.bridge.remove(params["name"])
    async def do_close(self, params): await self.bridge.close()
    async def do_tools(self, params): return self.registry()

    async def do_open(self, params):
        return {"servers": await asyncio.gather(*(self.start(config_of(spec)) for spec in params["servers"]))}

    async def start(self, config: ServerConfig) -> dict:
        try:
            server = await self.bridge.add(config)
        except BridgeError as error:
            return {"name": config.name, "status": "rejected", "message": str(error)}
        why = {} if server.state == "ready" else {"message": str(server.last_error)}
        return {"name": config.name, "status": "degraded" if why else "ready", **why}

    async def do_reload(self, params):
        config = self.bridge.servers[params["name"]].config
        await self.bridge.remove(config.name)
        return await self.start(config)

    async def do_state(self, params):
        return {"servers": [{"name": name, "state": server.state, "tools": len(server.tools), "attempt": server.attempt,
                             **({"lastError": server.last_error} if server.last_error else {})}
                            for name, server in self.bridge.servers.items()]}

    async def do_call(self, params):
        self.calls[params["callId"]] = asyncio.ensure_future(self.bridge.call(params["name"], params["arguments"]))
        try:
            outcome = await self.calls[params["callId"]]
        except asyncio.CancelledError:
            return {"outcome": "aborted", "executed": "unknown", "view": [], "message": "cancelled by its caller"}
        finally:
            del self.calls[params["callId"]]
        reply = {"outcome": outcome.status, "executed": outcome.executed, "value": outcome.value}
        return {**reply, "message": outcome.text, "view": [{"type": "text", "text": outcome.text}]}

    async def do_cancel(self, params):
        if params["callId"] in self.calls:
            self.calls[params["callId"]].cancel()

    async def answer(self, request: dict) -> None:
        method = getattr(self, f"do_{request['method']}", None)
        try:
            reply = {"result": await method(request.get("params", {})) or {}} if method else {"error": UNKNOWN}
        except Exception as error:  # a fault of this driver: the suite shows it, and gives no verdict
            reply = {"error": {"code": -32603, "message": f"{type(error).__name__}: {error}"}}
        self.write(id=request["id"], **reply)

    async def run(self) -> None:
        loop, requests, running = asyncio.get_running_loop(), asyncio.StreamReader(limit=2**26), set()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(requests), sys.stdin)
        loop.add_signal_handler(signal.SIGTERM, requests.feed_eof)
        while line := await requests.readline():  # each by itself: replies may come in any order
            task = asyncio.ensure_future(self.answer(parse(line)))
            running.add(task)
            task.add_done_callback(running.discard)
        await self.bridge.close()


asyncio.run(Driver().run())
