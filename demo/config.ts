import { parseAllowedHosts } from '@connect-embed/contract/local-host';
import { z } from 'zod';

const HttpUrl = z.url({ protocol: /^https?$/, error: 'must be an HTTP or HTTPS URL.' });

/** Every environment variable that the demo site reads. */
export const Environment = z.object({
  DEMO_PORT: z.coerce
    .number('must be a port number.')
    .int()
    .min(0)
    .max(65_535)
    .default(4200)
    .describe('Port to listen on; 0 uses any free port.'),
  HOST: z.string().default('127.0.0.1').describe('Address to listen on.'),
  ALLOWED_HOSTS: z
    .string()
    .default('')
    .describe('Host names of the pages besides localhost: mine.example,.preview.example'),
  CONNECT_SERVER_URL: HttpUrl.default('http://localhost:4100').describe(
    'Server (BFF) that serves the script to the forms and tables.',
  ),
  CONNECT_API_URL: HttpUrl.default('http://localhost:4000').describe(
    'Connect API that the tables read with their session token.',
  ),
  CARD_ORIGINS: z
    .string()
    .default('http://localhost:4300')
    .describe("Origins of the card processor's script, frames and requests, separated by spaces."),
  VIEWER_SECRET: z
    .string('is required.')
    .min(32, 'must be at least 32 characters long and the same as on the server.')
    .describe('Signs viewer tokens; the same as on the server.'),
});
type Environment = z.infer<typeof Environment>;

export interface Config {
  port: number;
  host: string;
  /**
   * Host names by which the pages may be opened, besides localhost. Requests with other host names
   * are rejected, to prevent DNS rebinding.
   */
  allowedHosts: string[];
  bffOrigin: string;
  apiOrigin: string;
  cardOrigins: string;
  viewerSecret: string;
}

/**
 * Reads and validates the environment.
 *
 * @throws {Error} with one line for each invalid variable
 */
export function readConfig(variables: NodeJS.ProcessEnv = process.env): Config {
  const definedVariables = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== ''),
  );
  const result = Environment.safeParse(definedVariables);
  if (!result.success) {
    const lines = result.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
    throw new Error(lines.join('\n'));
  }
  const env = result.data;
  return {
    port: env.DEMO_PORT,
    host: env.HOST,
    allowedHosts: [env.HOST, ...parseAllowedHosts(env.ALLOWED_HOSTS)],
    bffOrigin: new URL(env.CONNECT_SERVER_URL).origin,
    apiOrigin: new URL(env.CONNECT_API_URL).origin,
    cardOrigins: env.CARD_ORIGINS,
    viewerSecret: env.VIEWER_SECRET,
  };
}
