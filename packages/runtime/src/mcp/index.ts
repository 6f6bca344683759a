export type { McpServer, McpServerOptions, McpTool, McpTransportOptions } from './mcp-server.ts';
export { mcpServer } from './mcp-server.ts';
