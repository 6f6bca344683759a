# The client of MCP's SDK for Python at a server that is a process: `sdk.py COMMAND ARG…` writes what it saw as JSON.
import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

CALLS = [
    "test_simple_text",
    "test_image_content",
    "test_embedded_resource",
    "test_multiple_content_types",
    "test_error_handling",
]


async def explore(session):
    # What the gateway can do beside its server, such as telling of lists that change, is its own.
    welcome = await session.initialize()
    seen = {
        "welcome": welcome.server_info,
        "instructions": welcome.instructions,
        "tools": await session.list_tools(),
        "resources": await session.list_resources(),
        "templates": await session.list_resource_templates(),
        "prompts": await session.list_prompts(),
        "text": await session.read_resource("test://static-text"),
        "made": await session.read_resource("test://template/7/data"),
        "prompt": await session.get_prompt("test_prompt_with_arguments", {"arg1": "a", "arg2": "b"}),
        "nowhere": await attempt(session.read_resource("test://nowhere")),
    }
    for name in CALLS:
        seen[name] = await session.call_tool(name, {})
    answers = await asyncio.gather(*[session.call_tool("test_simple_text", {}) for _ in range(100)])
    seen["a hundred at once"] = len({read(answer) for answer in answers})
    return seen


async def attempt(request):
    try:
        return await request
    except Exception as error:
        return str(error)


def read(answer):
    return answer.model_dump_json() if hasattr(answer, "model_dump_json") else answer


async def main(command, *args):
    server = StdioServerParameters(command=command, args=list(args))
    async with stdio_client(server) as (incoming, outgoing), ClientSession(incoming, outgoing) as session:
        seen = await explore(session)
    print(json.dumps({name: read(answer) for name, answer in seen.items()}))


asyncio.run(main(*sys.argv[1:]))
