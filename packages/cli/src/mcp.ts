import { Connect } from '@connect-embed/client';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Command } from 'commander';
import { readApiVariables } from './config.ts';
import { createMaskedClients } from './mcp/masked-clients.ts';
import { TOOLS, type Clients } from './mcp/tools.ts';
import { markUntrusted, UNTRUSTED_RULE } from './mcp/untrusted.ts';

interface McpOptions {
  api?: string;
  personalData?: true;
}

/** Adds the command `mcp`, a read-only server of the Model Context Protocol (MCP) over stdio. */
export function addMcpCommand(program: Command): void {
  program
    .command('mcp')
    .description('let an AI tool read donations, donors, payouts and more (MCP over stdio)')
    .option('--api <url>', 'such as https://api.example.org/api/v1; default: CONNECT_API_BASE')
    .option(
      '--personal-data',
      'show the AI tool names, emails, phone numbers and addresses of donors',
    )
    .addHelpText(
      'after',
      `
Reads the API key from the environment variable CONNECT_API_KEY. Nothing can be changed. Without
--personal-data, names are initials, and emails, phone numbers and addresses are left out.`,
    )
    .action(async ({ api, personalData }: McpOptions) => {
      const options = readApiVariables(api);
      const connect = new Connect(options);
      const personal = personalData ? async () => connect : createMaskedClients(connect, options);
      const server = createServer({ connect, personal }, program.version()!);
      await server.connect(new StdioServerTransport());
    });
}

function createServer(clients: Clients, version: string): McpServer {
  const instructions = `Reads the donations of a nonprofit. Amounts are in the currency’s smallest unit, such as cents. ${UNTRUSTED_RULE}`;
  const server = new McpServer({ name: 'connect-embed', version }, { instructions });
  for (const { name, description, inputSchema, read } of TOOLS) {
    const annotations = { readOnlyHint: true, openWorldHint: false };
    // What `read` throws becomes an error of the tool with the message, which contains no secret.
    server.registerTool(name, { description, inputSchema, annotations }, async (input) => {
      const result = markUntrusted(await read(input, clients));
      return { content: [{ type: 'text', text: JSON.stringify(result) }] };
    });
  }
  return server;
}
