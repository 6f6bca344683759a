// MCP: the tools of an MCP server as tools of a runtime. The application calls it; nothing in this package does.

export type { McpServer, McpServerOptions, McpTool } from './mcp-server.ts';
export { mcpServer } from './mcp-server.ts';
export type { McpTransportOptions } from './open-transport.ts';
export { openMcpTransport } from './open-transport.ts';
